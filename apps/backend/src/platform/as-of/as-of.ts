/**
 * Calls about an instant in the past. The code that answers them need not know: the database shows the read models of
 * that instant, `Decisions.load` reads streams up to it, and `present()` returns its time.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Instant, AsOfTables } from '@quarterdeck/projections/runner';
import type { Pool } from 'pg';
import { beforeItsEffect, isAboutReadModels } from './repetition';

export type { Instant };

/** The instant that the current call asks about; unset: the present. */
export const askedInstant = new AsyncLocalStorage<Instant>();

/** Now, or the instant that the call asks about. */
export const present = (): Date => {
  const instant = askedInstant.getStore();
  return instant ? new Date(instant.at) : new Date();
};

const textOf = (query: string | { text: string }): string => (typeof query === 'string' ? query : query.text);

/**
 * The database that features get: their queries are about the instant that the call asks about. Those of a repeated call
 * read the read models as they were before its effect.
 */
export const presentOrAsOf = (pool: Pool, past: Pick<AsOfTables, 'query'>): Pool =>
  new Proxy(pool, {
    get: (target, key) => {
      const instant = askedInstant.getStore();
      const before = beforeItsEffect.getStore();
      if ((instant ?? before) && key === 'query')
        return (
          ...[query, values]: Parameters<AsOfTables['query']> extends [unknown, ...infer R] ? R : never
        ) => {
          const at = instant ?? (isAboutReadModels(textOf(query)) ? before : undefined);
          return at ? past.query(at, query, values) : target.query(query, values);
        };
      if (instant && key === 'connect') throw new Error('a call about the past takes no connection');
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** The same for reads after the call was answered, such as the pages of a download. */
export const queriesAt = (instant: Instant, db: Pool): Pick<Pool, 'query'> => ({
  query: ((...asked: Parameters<Pool['query']>) =>
    askedInstant.run(instant, () => db.query(...asked))) as Pool['query'],
});
