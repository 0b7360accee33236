/**
 * Slows down guessing: after a number of failures within a minute, an address is refused until the minute is over. An
 * attempt takes a ticket before it is checked, and loses it if it fails. So the limit also holds for concurrent
 * attempts. Tickets are rows in the database, so it holds across all processes.
 *
 * A secret that nobody can guess is looked up first, and only one that does not exist is a failure (`refuse`). So
 * nobody who has a good one ever waits for the failures of others at the same address.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Backoff } from '@quarterdeck/events';
import { LRUCache } from 'lru-cache';
import { limitedAs } from '../caller-address';
import { DomainError } from '../errors';
import { DB, type Pool } from '../tokens';

const ALLOWED = 10;
const WINDOW_SECONDS = 60;
/** How long an attempt waits while all tickets belong to others that may still succeed. */
const PATIENCE_MS = 20_000;
const LOOK_AGAIN_MS = { first: 25, longest: 400 };

const OVER = `known.since < clock_timestamp() - interval '${WINDOW_SECONDS} seconds'`;

/** `open`: tickets of attempts that have not ended. */
const TAKE = `
  insert into app.failed_attempts as known (address, since, failed, open)
  values ($1, clock_timestamp(), 0, 1)
  on conflict (address) do update set
    since = case when ${OVER} then excluded.since else known.since end,
    failed = case when ${OVER} then 0 else known.failed end,
    open = case when ${OVER} then 1 else known.open + 1 end
  where ${OVER} or known.failed + known.open < ${ALLOWED}
  returning since::text`;

const LEFT = `
  select failed >= ${ALLOWED} as over,
    extract(epoch from since + interval '${WINDOW_SECONDS} seconds' - clock_timestamp())::float8 as seconds
  from app.failed_attempts where address = $1`;

/** Ends an attempt. Changes nothing if a later window has begun. */
const END = `
  update app.failed_attempts set open = greatest(open - 1, 0), failed = failed + $3
  where address = $1 and since = $2::timestamptz`;

const SWEEP = `delete from app.failed_attempts where since < clock_timestamp() - interval '1 hour'`;

const isFailure = (error: unknown): boolean =>
  error instanceof DomainError && (error.code === 'unauthenticated' || error.code === 'notFound');

@Injectable()
export class FailedAttempts {
  /** Addresses that guessed too often. The table has them too; this cache spares the table their further guesses. */
  private readonly blocked = new LRUCache<string, DomainError>({ max: 1000 });

  constructor(@Inject(DB) private readonly pool: Pool) {}

  /**
   * Counts a secret that does not exist as a failure of the address.
   * @param door failures there count apart from those at other doors
   * @throws the refusal, or DomainError `tooMany` after too many failures
   */
  async refuse(address: string, refusal: DomainError, door = ''): Promise<never> {
    const key = door + limitedAs(address);
    const blocked = this.blocked.get(key);
    if (blocked) throw blocked;
    try {
      return await this.counting(address, () => Promise.reject(refusal), door);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'tooMany')
        this.blocked.set(key, error, { ttl: (error.detail.retryAfter ?? 1) * 1000 });
      throw error;
    }
  }

  /**
   * @param work counts as a failure of the address if it is refused as unauthenticated or not found
   * @throws DomainError after too many failures
   */
  async counting<T>(address: string, work: () => Promise<T>, door = ''): Promise<T> {
    const key = door + limitedAs(address);
    const since = await this.take(key);
    let failed = 0;
    try {
      return await work();
    } catch (error) {
      if (isFailure(error)) failed = 1;
      throw error;
    } finally {
      await this.pool.query(END, [key, since, failed]);
      if (failed > 0) await this.pool.query(SWEEP);
    }
  }

  /** @returns start of the ticket's window */
  private async take(key: string): Promise<string> {
    const began = Date.now();
    const backoff = new Backoff(LOOK_AGAIN_MS.first, LOOK_AGAIN_MS.longest);
    for (; ; await backoff.pause()) {
      const { rows } = await this.pool.query<{ since: string }>(TAKE, [key]);
      if (rows[0]) return rows[0].since;
      const left = await this.pool.query<{ over: boolean; seconds: number }>(LEFT, [key]);
      const { over, seconds } = left.rows[0] ?? { over: false, seconds: 0 };
      if (!over && Date.now() - began < PATIENCE_MS) continue;
      throw new DomainError('tooMany', 'too many failed attempts, please wait a moment', undefined, {
        retryAfter: Math.max(1, seconds),
      });
    }
  }
}
