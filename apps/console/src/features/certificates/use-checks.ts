import { ssl } from '@quarterdeck/contract';
import type { SslCounters } from '@quarterdeck/projections';
import { useEffect, useRef, useState } from 'react';
import { useAnswer } from '../../core/calls';

/** A thousand rows are much to fetch at each of a thousand checks. */
const AT_MOST_EVERY_MS = 1000;

/** The rows of a run, fetched again while its counters grow. */
export const useChecks = (run: string, counters?: SslCounters) => {
  const { currentData, error, isFetching, refetch } = useAnswer(ssl.checks, { id: run });
  const now = counters ? counters.total + counters.checked + counters.renewed + counters.failed : 0;
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  }, [now]);
  const [asked, setAsked] = useState(now);
  const behind = asked !== now;
  // Further growth does not put off what is already due.
  useEffect(() => {
    if (!behind || isFetching) return undefined;
    const timer = setTimeout(() => {
      setAsked(latest.current);
      void refetch();
    }, AT_MOST_EVERY_MS);
    return () => clearTimeout(timer);
  }, [behind, isFetching, refetch]);
  return { rows: currentData, error, refetch: () => void refetch() };
};
