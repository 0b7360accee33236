/** What counts as now: the clock, and in the past the instant that is looked at. */
import { instants } from '@quarterdeck/contract';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { createContext, useContext, useState, type ReactNode } from 'react';
import { useAnswer } from '../calls';
import { usePast } from './past-state';

/** Milliseconds of the instant; `undefined` in the present, not a number while it is not known yet. */
const PastNow = createContext<number | undefined>(undefined);

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

/** Tells everything below which time it is at the instant that is looked at. */
export function PastClock({ children }: { children: ReactNode }) {
  const at = usePast();
  const { currentData: instant } = useAnswer(instants.detail, at === undefined ? skipToken : { at: at });
  const now = at === undefined ? undefined : Date.parse(instant?.at ?? '');
  return <PastNow value={now}>{children}</PastNow>;
}
