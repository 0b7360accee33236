import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { withParams } from '../../ui/params';

/** The part of a workflow that a tab shows, in the address. */
export const usePart = () => {
  const [params, setParams] = useSearchParams();
  const show = useCallback(
    (part: string | undefined): void =>
      setParams((before) => withParams(before, { part }), { replace: true, preventScrollReset: true }),
    [setParams],
  );
  return { part: params.get('part') ?? undefined, show };
};
