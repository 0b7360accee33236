/** The location being edited, kept in the URL. */
import { useSearchParams } from 'react-router';
import { withParams } from '../../../ui/params';

export const NEW_LOCATION = 'new';
const PARAM = 'location';

export interface LocationInAddress {
  /** An id, or `NEW_LOCATION`; `null` if none is being edited. */
  wanted: string | null;
  go: (location?: string) => void;
}

export const useLocationInAddress = (): LocationInAddress => {
  const [params, setParams] = useSearchParams();
  return {
    wanted: params.get(PARAM),
    go: (location) => setParams((latest) => withParams(latest, { tab: 'locations', [PARAM]: location })),
  };
};
