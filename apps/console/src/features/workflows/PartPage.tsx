/** The page below a workflow: of a node of its draft, or of one of its instances. */
import { useParams } from 'react-router';
export default function PartPage() {
  useParams();
  return null;
}
