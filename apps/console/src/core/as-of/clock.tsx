/** The current time: that of the clock, or the chosen instant while the past is shown. */
import { instants } from '@quarterdeck/contract';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { createContext, useContext, useState, type ReactNode } from 'react';
import { useAnswer } from '../calls';
import { useAsOf } from './as-of-state';

/** The chosen instant in milliseconds since 1970; `undefined` in the present, `NaN` until the server has answered. */
const AsOfNow = createContext<number | undefined>(undefined);

export const useAsOfNow = (): number | undefined => useContext(AsOfNow);

/**
 * The time from which days are counted. It does not advance while the page is open.
 * @param present time to use in the present; default: when the component was mounted
 */
export const useNow = (present?: number): number => {
  const past = useAsOfNow();
  const [opened] = useState(Date.now);
  return past === undefined || Number.isNaN(past) ? (present ?? opened) : past;
};

/** Provides the time of the chosen instant to everything below. */
export function AsOfClock({ children }: { children: ReactNode }) {
  const at = useAsOf();
  const { currentData: instant } = useAnswer(instants.detail, at === undefined ? skipToken : { at: at });
  const now = at === undefined ? undefined : Date.parse(instant?.at ?? '');
  return <AsOfNow value={now}>{children}</AsOfNow>;
}
