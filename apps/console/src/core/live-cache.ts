/**
 * Turns pushed events into refetches of exactly the queries that they make stale.
 *
 * A pending query has no tags yet, and its answer may be older than an event that is pushed while it is pending. So the
 * cache keeps the last events and the log position of every answer. An answer older than a relevant event is fetched
 * again.
 *
 * Refetches are throttled: the longer a query took, the longer it rests before it is fetched again. So even a thousand
 * events a second keep a query pending at most a tenth of the time. The refetch after the rest gets the latest state.
 */
import type { Middleware, Store } from '@reduxjs/toolkit';
import { comparePositions, nounFacts, START, streamParts, type Position } from '@quarterdeck/events';
import { api, tagsOf, type Tag } from './api';

export interface PushedEvent {
  type: string;
  stream: string;
  position: Position;
}

const BATCH_MS = 100;
/** A query rests for this multiple of the time that it took. */
const REST = 9;
/** Maximum rest, so that the page does not seem stuck. */
const LONGEST_REST_MS = 5000;
const REMEMBERED = 1000;

/** Represents all missed events. Its type is unknown, so it makes everything stale. */
const MISSED = { type: '', stream: '' };

const everything = (): Tag[] => nounFacts.readModels.map((type) => ({ type }));

/** Tags that an event makes stale. A type that this bundle does not know makes everything stale. */
export const tagsOfEvent = ({ type, stream }: Pick<PushedEvent, 'type' | 'stream'>): Tag[] => {
  const stale = Object.hasOwn(nounFacts.stale, type) ? nounFacts.stale[type] : undefined;
  if (!stale) return everything();
  const { category, id } = streamParts(stream);
  const own = stale.flatMap((model) =>
    nounFacts.rows[category] === model ? tagsOf(model, [id]) : [{ type: model }],
  );
  return [...own, { type: 'history' }];
};

interface Due {
  tag: Tag;
  position: Position;
}

interface Shown {
  position: Position;
  /** Not fetched again before this time, in milliseconds since 1970. */
  restsUntil: number;
}

interface QueryCache {
  queries: Record<string, { status?: string } | undefined>;
}

export interface LiveCache {
  attach(store: Pick<Store, 'dispatch' | 'getState'>): void;
  /** Events in log order. */
  push(events: readonly PushedEvent[]): void;
  /**
   * To be called if events up to `position` were missed: fetches everything on the screen again and drops the rest. A
   * pending query is fetched again if its answer is older than `position`.
   */
  resync(position: Position): void;
  /** Does the postponed refetches immediately. */
  flush(): void;
  /** Fetches everything on the screen again if any query failed. */
  retryFailed(): void;
  /** `tookMs`: time from request to answer. */
  answered(queryCacheKey: string, position: Position, tookMs: number): void;
  /** Position of the first answer: only later events matter. */
  firstAnswer(): Position | undefined;
  onFirstAnswer(listener: () => void): void;
  forgotten(queryCacheKey: string): void;
  /** Position of the newest event that was pushed. */
  newest(): Position;
  /** Forgets everything. Called when another person signs in. */
  clear(): void;
}

export const createLiveCache = (): LiveCache => {
  const shown = new Map<string, Shown>();
  const due = new Map<string, Due>();
  let recent: PushedEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakesAt = Infinity;
  let first: Position | undefined;
  let tellFirst: (() => void) | undefined;
  let store: Pick<Store, 'dispatch' | 'getState'> | undefined;

  const owe = ({ position, ...event }: PushedEvent): void => {
    for (const tag of tagsOfEvent(event)) due.set(`${tag.type}/${tag.id ?? ''}`, { tag, position });
    wakeAt(Date.now() + BATCH_MS);
  };

  const sleep = (): void => {
    clearTimeout(timer);
    wakesAt = Infinity;
  };

  const wakeAt = (at: number): void => {
    if (at >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = at;
    timer = setTimeout(() => fetchAgain(false), at - Date.now());
  };

  const isUnderWay = (queryCacheKey: string): boolean =>
    (store?.getState() as { api: QueryCache } | undefined)?.api.queries[queryCacheKey]?.status === 'pending';

  /** When all outdated queries with this tag may be fetched again; `undefined` if none is outdated. */
  const readyAt = ({ tag, position }: Due, now: number): number | undefined => {
    // The state's type depends on this file through the store; the selector only looks under `api`.
    const behind = api.util
      .selectInvalidatedBy(store?.getState() as never, [tag])
      .filter(({ queryCacheKey: key }) => comparePositions(shown.get(key)?.position ?? START, position) < 0);
    if (behind.length === 0) return undefined;
    // The answer of a pending query may already include the event.
    return Math.max(
      ...behind.map(({ queryCacheKey: key }) =>
        isUnderWay(key) ? now + BATCH_MS : (shown.get(key)?.restsUntil ?? now),
      ),
    );
  };

  const fetchAgain = (atOnce: boolean): void => {
    sleep();
    const now = Date.now();
    const stale: Tag[] = [];
    for (const [key, owed] of due) {
      const ready = readyAt(owed, now);
      if (ready !== undefined && ready > now && !atOnce) {
        wakeAt(ready);
        continue;
      }
      due.delete(key);
      if (ready !== undefined) stale.push(owed.tag);
    }
    if (stale.length > 0) store?.dispatch(api.util.invalidateTags(stale));
  };

  return {
    attach: (to) => {
      store = to;
    },
    push: (events) => {
      recent = [...recent, ...events].slice(-REMEMBERED);
      events.forEach(owe);
    },
    resync: (position) => {
      sleep();
      shown.clear();
      due.clear();
      recent = [{ ...MISSED, position }];
      store?.dispatch(api.util.invalidateTags(everything()));
    },
    flush: () => fetchAgain(true),
    retryFailed: () => {
      const state = store?.getState() as { api: QueryCache } | undefined;
      const failed = Object.values(state?.api.queries ?? {}).some((entry) => entry?.status === 'rejected');
      if (failed) store?.dispatch(api.util.invalidateTags(everything()));
    },
    firstAnswer: () => first,
    onFirstAnswer: (listener) => {
      tellFirst = listener;
    },
    answered: (queryCacheKey, position, tookMs) => {
      const restsUntil = Date.now() + Math.min(tookMs * REST, LONGEST_REST_MS);
      shown.set(queryCacheKey, { position, restsUntil });
      if (first === undefined) {
        first = position;
        tellFirst?.();
      }
      recent.filter((event) => comparePositions(event.position, position) > 0).forEach(owe);
    },
    forgotten: (queryCacheKey) => {
      shown.delete(queryCacheKey);
    },
    newest: () => recent.at(-1)?.position ?? first ?? START,
    clear: () => {
      sleep();
      first = undefined;
      shown.clear();
      due.clear();
      recent = [];
    },
  };
};

interface Answered {
  type: string;
  payload?: { queryCacheKey?: string; status?: unknown };
  meta?: {
    requestId?: string;
    arg?: { queryCacheKey?: string; type?: string; direction?: string };
    baseQueryMeta?: { position?: Position };
  };
}

/** Records the log position of each answer and how long it took. */
export const answerListener = (cache: LiveCache): Middleware => {
  /** Start of each request, and the newest event known then: all pages of a paged query are at least that recent. */
  const begun = new Map<string, { at: number; newest: Position }>();
  return () => (next) => (action) => {
    const result = next(action);
    const { type, meta, payload } = action as Answered;
    if (type === 'api/queries/removeQueryResult' && payload?.queryCacheKey)
      cache.forgotten(payload.queryCacheKey);
    const { queryCacheKey: key, direction } = meta?.arg ?? {};
    if (!type.startsWith('api/executeQuery/') || key === undefined || meta?.requestId === undefined)
      return result;
    const paged = meta.arg?.type === 'infiniteQuery';
    if (type.endsWith('/pending')) {
      begun.set(meta.requestId, { at: Date.now(), newest: cache.newest() });
      return result;
    }
    const began = begun.get(meta.requestId);
    begun.delete(meta.requestId);
    const asOf = paged ? began?.newest : meta.baseQueryMeta?.position;
    // "Not found" is an answer too, and an event that arrived meanwhile may outdate it.
    const answered = type.endsWith('/fulfilled') || (!paged && payload?.status === 404);
    // Loading one more page does not refresh the pages loaded before.
    if (answered && direction === undefined && asOf !== undefined)
      cache.answered(key, asOf, began ? Date.now() - began.at : 0);
    return result;
  };
};
