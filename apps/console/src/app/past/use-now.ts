/** What counts as now: the clock, and in the past the instant that is looked at. */
import { createContext, useContext, useState } from 'react';

/** Milliseconds of the instant; `undefined` in the present, not a number while it is not known yet. */
export const PastNow = createContext<number | undefined>(undefined);

export const usePastNow = (): number | undefined => useContext(PastNow);

/**
 * What days are counted to. It does not move while one reads.
 * @param present what it is in the present, if not when the page was opened
 */
export const useNow = (present?: number): number => {
  const past = usePastNow();
  const [opened] = useState(Date.now);
  return past === undefined || Number.isNaN(past) ? (present ?? opened) : past;
};
