/**
 * State of the workspace's SSL monitor: first fetched, then pushed by the socket a few times a second. A message may be
 * slightly older than an answer that arrived before it, and vice versa.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { SslCounters, SslMonitorStatus, SslPhase } from '@quarterdeck/projections';
import { useSelector } from 'react-redux';

type SslState = SslMonitorStatus | null;

const isOver = (phase: SslPhase): boolean => ['complete', 'stopped', 'error'].includes(phase);
const done = ({ checked, renewed, failed }: SslCounters): number => checked + renewed + failed;

/** Ignores progress that arrives after the run ended. Pure. */
export const afterMessage = (
  before: SslState,
  { nextAt: _never, ...told }: SslMonitorStatus,
): SslMonitorStatus => {
  if (before && before.run === told.run && isOver(before.phase) && !isOver(told.phase)) return before;
  return { ...told, ...(before?.nextAt !== undefined && { nextAt: before.nextAt }) };
};

/** An answer wins, except over further progress of the same run that was pushed meanwhile. Pure. */
export const afterAnswer = (before: SslState, answer: SslMonitorStatus): SslMonitorStatus => {
  const further =
    before !== null &&
    before.run === answer.run &&
    !isOver(before.phase) &&
    !isOver(answer.phase) &&
    done(before.counters) > done(answer.counters);
  return further ? { ...answer, phase: before.phase, counters: before.counters } : answer;
};

const slice = createSlice({
  name: 'sslMonitor',
  initialState: null as SslState,
  reducers: {
    sslTold: (state, { payload }: PayloadAction<SslMonitorStatus>) => afterMessage(state, payload),
    sslAnswered: (state, { payload }: PayloadAction<SslMonitorStatus>) => afterAnswer(state, payload),
    sslForgotten: (): SslState => null,
  },
});

export const { sslTold, sslAnswered, sslForgotten } = slice.actions;
export const sslReducer = slice.reducer;

/** `undefined` until the first answer. */
export const useSslStatus = (): SslMonitorStatus | undefined =>
  useSelector((state: { sslMonitor: SslState }) => state.sslMonitor) ?? undefined;
