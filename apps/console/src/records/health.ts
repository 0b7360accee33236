/** The newest figures of each server: fetched once, then told by the socket. Whatever is newest stays, wherever it came from. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { NewestHealth } from '@quarterdeck/projections';
import { useSelector } from 'react-redux';

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

/** One server's; only its own news draw it anew. */
export const useNewestHealth = (server: string): NewestHealth | undefined =>
  useSelector((state: { health: HealthState }) => state.health[server]);

/** For lists, which are in the order of their states. */
export const useAllHealth = (): HealthState => useSelector((state: { health: HealthState }) => state.health);
