import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { withParams } from '../../ui/params';

/** The event open in the drawer, by its position in the URL: `?event=42` can be shared. */
export const useOpenEvent = (): [string | undefined, (position: string | undefined) => void] => {
  const [params, setParams] = useSearchParams();
  const written = params.get('event') ?? '';
  const open = /^\d{1,20}$/.test(written) ? written : undefined;
  const setOpen = useCallback(
    (position: string | undefined) =>
      setParams((latest) => withParams(latest, { event: position }), {
        preventScrollReset: true,
        replace: position === undefined,
      }),
    [setParams],
  );
  return [open, setOpen];
};
