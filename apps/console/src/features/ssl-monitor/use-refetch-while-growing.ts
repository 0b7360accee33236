import type { SslCounters } from '@quarterdeck/projections';
import { useEffect, useRef, useState } from 'react';

/** A run checks many domains per second. */
const AT_MOST_EVERY_MS = 1000;

/** Refetches while the counters of a run grow. */
export const useRefetchWhileGrowing = (
  counters: SslCounters | undefined,
  isFetching: boolean,
  refetch: () => void,
): void => {
  const now = counters ? counters.total + counters.checked + counters.renewed + counters.failed : 0;
  const latest = useRef({ now, refetch });
  useEffect(() => {
    latest.current = { now, refetch };
  }, [now, refetch]);
  const [asked, setAsked] = useState(now);
  const behind = asked !== now;
  // Further growth does not postpone a refetch that is already due.
  useEffect(() => {
    if (!behind || isFetching) return undefined;
    const timer = setTimeout(() => {
      setAsked(latest.current.now);
      latest.current.refetch();
    }, AT_MOST_EVERY_MS);
    return () => clearTimeout(timer);
  }, [behind, isFetching]);
};
