import { RelativeTime } from '../../ui/RelativeTime';
import { Actor } from './Actor';

/** "by Ada Marsh 3 minutes ago" */
export const By = ({ id, at }: { id: string; at: string }) => (
  <>
    by <Actor id={id} inSentence /> <RelativeTime at={at} />
  </>
);
