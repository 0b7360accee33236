/** Fills the time line of some logs: what was asked of the past, and what is added from now on. */
import { logs, type LogState } from '@quarterdeck/contract';
import type { LogSource } from '@quarterdeck/events/inputs';
import { useEffect, useMemo, useState } from 'react';
import { ask } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { toApiError, type ApiError } from '../../core/http';
import { followLog } from './follow-log';
import { isOpen, isTurned, pastOf, type LogRange } from './log-range';
import { LogStore } from './log-store';

export interface ChosenLog {
  source: LogSource;
  name: string;
}

export interface LogSearch {
  search: string;
  regexp: boolean;
  matchCase: boolean;
}

interface LogOptions {
  server: string;
  chosen: readonly ChosenLog[];
  range: LogRange;
  /** Asked of the server, too: only lines that match are read from the past. */
  search?: LogSearch | undefined;
  follow: boolean;
}

/** What is known of one log beside its lines. */
export interface LogProgress {
  state?: LogState;
  /** Lines that were left out, because this browser was too slow. */
  missed: number;
  loading: boolean;
  /** Why there may be more in the past. */
  left?: string;
  error?: ApiError;
}

const nothing: LogProgress = { missed: 0, loading: false };

interface Filled {
  store: LogStore;
  progress: readonly LogProgress[];
}

export const useLogs = ({ server, chosen, range, search, follow }: LogOptions): Filled => {
  const dispatch = useAppDispatch();
  // Another question begins another time line.
  const question = JSON.stringify([server, chosen, range, search]);
  const store = useMemo(
    () => new LogStore((JSON.parse(question) as [string, ChosenLog[]])[1].map(({ name }) => name)),
    [question],
  );
  const [{ of, progress }, setProgress] = useState<{ of: LogStore; progress: readonly LogProgress[] }>({
    of: store,
    progress: chosen.map(() => nothing),
  });

  useEffect(() => {
    let left = false;
    const [, logsToShow, time, words] = JSON.parse(question) as [string, ChosenLog[], LogRange, LogSearch?];
    const note = (at: number, change: (before: LogProgress) => Partial<LogProgress>): void =>
      setProgress((before) => {
        const all = before.of === store ? before.progress : logsToShow.map(() => nothing);
        return { of: store, progress: all.map((one, n) => (n === at ? { ...one, ...change(one) } : one)) };
      });
    const read = async (at: number, source: LogSource, part: object): Promise<void> => {
      note(at, () => ({ loading: true }));
      const asked = dispatch(ask(logs.past, { server: { id: server }, source, ...part }));
      try {
        const past = await asked.unwrap();
        if (left) return;
        store.add(at, past.lines);
        note(at, () => ({ loading: false, ...(past.left !== undefined && { left: past.left }) }));
      } catch (error) {
        if (!left) note(at, () => ({ loading: false, error: toApiError(error) }));
      } finally {
        asked.unsubscribe();
      }
    };
    const past = pastOf(time, Date.now());
    const asksFor = words && words.search !== '' ? words : undefined;
    for (const [at, { source }] of logsToShow.entries())
      if ((past || asksFor) && !isTurned(time)) void read(at, source, { ...past, ...asksFor });
    const stops =
      follow && isOpen(time)
        ? logsToShow.map(({ source }, at) =>
            followLog({
              server,
              source,
              onPush: ({ lines, missed, state }, isAnother) => {
                if (left) return;
                const newest = isAnother ? store.newest(at) : undefined;
                // The server has begun a new reader, so lines written in between are read from the past.
                if (newest !== undefined) void read(at, source, { since: newest });
                if (lines) store.add(at, lines);
                if (state) note(at, () => ({ state }));
                if (missed !== undefined) note(at, (before) => ({ missed: before.missed + missed }));
              },
              onRefused: (says) => !left && note(at, () => ({ state: { is: 'ended', says } })),
            }),
          )
        : [];
    return () => {
      left = true;
      for (const stop of stops) stop();
    };
  }, [question, store, server, follow, dispatch]);

  return { store, progress: of === store ? progress : chosen.map(() => nothing) };
};
