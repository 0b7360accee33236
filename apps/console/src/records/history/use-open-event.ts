import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** The event open in the drawer, by its position in the URL: `?event=42` can be shared. */
export const useOpenEvent = (): [string | undefined, (position: string | undefined) => void] => {
  const [params, setParams] = useSearchParams();
  const written = params.get('event') ?? '';
  const open = /^\d{1,20}$/.test(written) ? written : undefined;
  const setOpen = useCallback(
    (position: string | undefined) =>
      setParams(
        (latest) => {
          const next = new URLSearchParams(latest);
          if (position === undefined) next.delete('event');
          else next.set('event', position);
          return next;
        },
        { preventScrollReset: true, replace: position === undefined },
      ),
    [setParams],
  );
  return [open, setOpen];
};
