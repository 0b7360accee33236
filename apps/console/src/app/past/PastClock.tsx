/** Tells everything below which time it is at the instant that is looked at. */
import { moments } from '@quarterdeck/contract';
import { skipToken } from '@reduxjs/toolkit/query/react';
import type { ReactNode } from 'react';
import { useAnswer } from '../calls';
import { PastNow } from './use-now';
import { usePast } from './use-past';

export function PastClock({ children }: { children: ReactNode }) {
  const at = usePast();
  const { currentData: moment } = useAnswer(moments.detail, at === undefined ? skipToken : { at: at });
  const now = at === undefined ? undefined : Date.parse(moment?.at ?? '');
  return <PastNow value={now}>{children}</PastNow>;
}
