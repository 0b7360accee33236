/**
 * Turns pushed events into refetches of exactly what they make stale.
 *
 * A query that is under way has no tags yet, and an answer may be older than an event that was pushed meanwhile. So the
 * last events are kept, every answer carries the position it shows, and an answer that is behind is fetched again.
 */
import type { Middleware, Store } from '@reduxjs/toolkit';
import {
  comparePositions,
  placement,
  START,
  streamParts,
  type Position,
  type ReadModel,
} from '@quarterdeck/events';
import { api, readModels, tagsOf, type Tag } from './api';

export interface PushedEvent {
  type: string;
  stream: string;
  position: Position;
}

const BATCH_MS = 100;
const REMEMBERED = 1000;

/** The read model that holds one row for each stream of the category. */
const modelOf: Record<string, ReadModel | undefined> = {
  server: 'servers',
  script: 'scripts',
  run: 'runs',
  person: 'people',
  workspace: 'workspaces',
};

const everything = (): Tag[] => readModels.map((type) => ({ type }));

/** What one event makes stale. A type that this bundle does not know makes everything stale. */
export const tagsOfEvent = ({ type, stream }: Pick<PushedEvent, 'type' | 'stream'>): Tag[] => {
  const place = Object.hasOwn(placement, type) ? placement[type as keyof typeof placement] : undefined;
  if (!place) return everything();
  const { category, id } = streamParts(stream);
  const own = place.stale.flatMap((model) =>
    modelOf[category] === model ? tagsOf(model, [id]) : [{ type: model }],
  );
  return [...own, { type: 'history' }];
};

interface Due {
  tag: Tag;
  position: Position;
}

interface QueryCache {
  queries: Record<string, { status?: string } | undefined>;
}

export interface LiveCache {
  attach(store: Pick<Store, 'dispatch' | 'getState'>): void;
  /** Events in log order. */
  push(events: readonly PushedEvent[]): void;
  /** Nobody knows what was missed: everything on the screen is fetched again, everything else forgotten. */
  resync(): void;
  /** Does now what was put off for the sake of batching. */
  flush(): void;
  /** Fetches again what is on the screen as an error. */
  retryFailed(): void;
  answered(queryCacheKey: string, position: Position): void;
  /** The position of the first answer: from there on, events are of interest. */
  firstAnswer(): Position | undefined;
  onFirstAnswer(listener: () => void): void;
  forgotten(queryCacheKey: string): void;
  /** Position of the newest event that was pushed. */
  newest(): Position;
  /** Another person signs in: nothing of this one stays. */
  clear(): void;
}

export const createLiveCache = (): LiveCache => {
  const shown = new Map<string, Position>();
  const due = new Map<string, Due>();
  let recent: PushedEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let first: Position | undefined;
  let tellFirst: (() => void) | undefined;
  let store: Pick<Store, 'dispatch' | 'getState'> | undefined;

  const owe = ({ position, ...event }: PushedEvent): void => {
    for (const tag of tagsOfEvent(event)) due.set(`${tag.type}/${tag.id ?? ''}`, { tag, position });
    timer ??= setTimeout(flush, BATCH_MS);
  };

  const isBehind = ({ tag, position }: Due): boolean =>
    // The state's type depends on this file through the store; the selector only looks under `api`.
    api.util
      .selectInvalidatedBy(store?.getState() as never, [tag])
      .some(({ queryCacheKey }) => comparePositions(shown.get(queryCacheKey) ?? START, position) < 0);

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const stale = [...due.values()].filter(isBehind).map(({ tag }) => tag);
    due.clear();
    if (stale.length > 0) store?.dispatch(api.util.invalidateTags(stale));
  }

  return {
    attach: (to) => {
      store = to;
    },
    push: (events) => {
      recent = [...recent, ...events].slice(-REMEMBERED);
      events.forEach(owe);
    },
    resync: () => {
      shown.clear();
      due.clear();
      recent = [];
      store?.dispatch(api.util.invalidateTags(everything()));
    },
    flush,
    retryFailed: () => {
      const state = store?.getState() as { api: QueryCache } | undefined;
      const failed = Object.values(state?.api.queries ?? {}).some((entry) => entry?.status === 'rejected');
      if (failed) store?.dispatch(api.util.invalidateTags(everything()));
    },
    firstAnswer: () => first,
    onFirstAnswer: (listener) => {
      tellFirst = listener;
    },
    answered: (queryCacheKey, position) => {
      shown.set(queryCacheKey, position);
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
      clearTimeout(timer);
      timer = undefined;
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

/** Notes which position each answer shows. */
export const answerListener = (cache: LiveCache): Middleware => {
  /** What was known when a request for several pages began: its first page shows at least that. */
  const begun = new Map<string, Position>();
  return () => (next) => (action) => {
    const result = next(action);
    const { type, meta, payload } = action as Answered;
    if (type === 'api/queries/removeQueryResult' && payload?.queryCacheKey)
      cache.forgotten(payload.queryCacheKey);
    const { queryCacheKey: key, direction } = meta?.arg ?? {};
    if (!type.startsWith('api/executeQuery/') || key === undefined || meta?.requestId === undefined)
      return result;
    const paged = meta.arg?.type === 'infiniteQuery';
    if (type.endsWith('/pending') && paged) begun.set(meta.requestId, cache.newest());
    if (type.endsWith('/pending')) return result;
    const asOf = paged ? begun.get(meta.requestId) : meta.baseQueryMeta?.position;
    begun.delete(meta.requestId);
    // "Not found" is an answer too, and may be outdated by what came while it was under way.
    const answered = type.endsWith('/fulfilled') || (!paged && payload?.status === 404);
    // One page more says nothing about the pages that were there.
    if (answered && direction === undefined && asOf !== undefined) cache.answered(key, asOf);
    return result;
  };
};
