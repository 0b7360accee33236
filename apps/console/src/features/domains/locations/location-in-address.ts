/** The location being edited, kept in the URL. */
import { useSearchParams } from 'react-router';

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
    go: (location) =>
      setParams((latest) => {
        const next = new URLSearchParams(latest);
        next.set('tab', 'locations');
        next.delete(PARAM);
        if (location !== undefined) next.set(PARAM, location);
        return next;
      }),
  };
};
