/**
 * The newest health sample of each server: fetched once, then pushed by the socket. The newest one wins, whatever its
 * source.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { NewestHealth, ServerRow } from '@quarterdeck/projections';
import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { useAppDispatch } from '../core/hooks';

export type HealthState = Readonly<Record<string, NewestHealth>>;

const seenAt = (sample: NewestHealth, before: NewestHealth | undefined): string | undefined =>
  sample.ok ? sample.at : (sample.seenAt ?? before?.seenAt);

const slice = createSlice({
  name: 'health',
  initialState: {} as HealthState,
  reducers: {
    healthTold: (state, { payload }: PayloadAction<readonly NewestHealth[]>): HealthState => {
      const next: Record<string, NewestHealth> = { ...state };
      for (const sample of payload) {
        const before = next[sample.server];
        if (before && before.at >= sample.at) continue;
        const seen = seenAt(sample, before);
        next[sample.server] = { ...sample, ...(seen !== undefined && { seenAt: seen }) };
      }
      return next;
    },
    healthForgotten: (): HealthState => ({}),
  },
});

export const { healthTold, healthForgotten } = slice.actions;
export const healthReducer = slice.reducer;

/** One server's sample; re-renders only when that sample changes. */
export const useNewestHealth = (server: string): NewestHealth | undefined =>
  useSelector((state: { health: HealthState }) => state.health[server]);

/** Merges the samples that came with a page of servers into the store, where the newer one wins. */
export const useProbesOf = (rows: readonly ServerRow[] | undefined): void => {
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (rows) dispatch(healthTold(rows.flatMap(({ newest }) => newest ?? [])));
  }, [rows, dispatch]);
};
