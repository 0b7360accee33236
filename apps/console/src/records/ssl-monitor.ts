/**
 * Where the SSL monitor of the workspace stands: asked for at first, then told by the socket a few times a second. What
 * is told may be a moment older than an answer that came before it, and the other way round.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { SslCounters, SslMonitorStatus, SslPhase } from '@quarterdeck/projections';
import { useSelector } from 'react-redux';

type SslState = SslMonitorStatus | null;

const isOver = (phase: SslPhase): boolean => ['complete', 'stopped', 'error'].includes(phase);
const done = ({ checked, renewed, failed }: SslCounters): number => checked + renewed + failed;

/** A message that was under way when its run ended takes nothing back. Pure. */
export const afterMessage = (
  before: SslState,
  { nextAt: _never, ...told }: SslMonitorStatus,
): SslMonitorStatus => {
  if (before && before.run === told.run && isOver(before.phase) && !isOver(told.phase)) return before;
  return { ...told, ...(before?.nextAt !== undefined && { nextAt: before.nextAt }) };
};

/** An answer knows best, but for what was told of the same run while the answer was under way. Pure. */
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
