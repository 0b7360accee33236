/** A read model that follows later is complete when somebody reads it: queries that name one wait for it. */
import type { Pool } from 'pg';
import type { AnyProjection } from '../define-projection';
import type { ProjectionRunner } from './runner';

/** Then the query is answered from what is there, as a list is. */
const PATIENCE_MS = 2_000;

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string } | undefined)?.text ?? '');

/**
 * Makes the queries of a pool wait. Those of a connection that was taken from it do not.
 * @returns the pool
 */
export const waitingPool = (
  pool: Pool,
  runner: Pick<ProjectionRunner, 'waitForLater'>,
  projections: readonly AnyProjection[],
): Pool => {
  const names = projections.flatMap(({ name, later }) => (later ? [name] : []));
  const isLater = new RegExp(`\\bread\\.(?:${names.join('|')})\\b`);
  const query = pool.query.bind(pool) as (...asked: unknown[]) => unknown;
  return Object.assign(pool, {
    query: (...asked: unknown[]): unknown =>
      isLater.test(textOf(asked[0]))
        ? runner.waitForLater(PATIENCE_MS).then(() => query(...asked))
        : query(...asked),
  });
};
