/**
 * Slows down guessing: after a number of failures within a minute, an address is refused until the minute is over.
 * Failures are counted in the database, so the limit holds across all processes.
 *
 * A secret that nobody can guess is looked up first, and only one that does not exist is a failure (`refuse`). So
 * nobody who has a good one ever waits for the failures of others at the same address.
 */
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { limitedAs } from '../caller-address';
import { DomainError } from '../errors';
import { DB, type Pool } from '../tokens';

const ALLOWED = 10;
const WINDOW_SECONDS = 60;

const OVER = `known.since < clock_timestamp() - interval '${WINDOW_SECONDS} seconds'`;

/** Returns no row if the address has failed too often. `open` was used by earlier versions. */
const COUNT = `
  insert into app.failed_attempts as known (address, since, failed, open)
  values ($1, clock_timestamp(), 1, 0)
  on conflict (address) do update set
    since = case when ${OVER} then excluded.since else known.since end,
    failed = case when ${OVER} then 1 else known.failed + 1 end
  where ${OVER} or known.failed < ${ALLOWED}
  returning address`;

const LEFT = `
  select extract(epoch from since + interval '${WINDOW_SECONDS} seconds' - clock_timestamp())::float8 as seconds
  from app.failed_attempts where address = $1`;

const SWEEP = `delete from app.failed_attempts where since < clock_timestamp() - interval '1 hour'`;

@Injectable()
export class FailedAttempts {
  /** Addresses that guessed too often. The table has them too; this cache spares the table their further guesses. */
  private readonly blocked = new LRUCache<string, DomainError>({ max: 1000 });
  /** The last failure of each address that is being counted. */
  private readonly counting = new Map<string, Promise<void>>();

  constructor(@Inject(DB) private readonly pool: Pool) {}

  /**
   * Counts a secret that does not exist as a failure of the address.
   * @param door failures there count apart from those at other doors
   * @throws the refusal, or DomainError `tooMany` after too many failures
   */
  async refuse(address: string, refusal: DomainError, door = ''): Promise<never> {
    const key = door + limitedAs(address);
    // One after the other: all at once would wait for one row with every connection that this process has. One that
    // is refused, or fails, answers for all behind it.
    const before = this.counting.get(key) ?? Promise.resolve();
    const counted = before.then(() => this.count(key));
    this.counting.set(key, counted);
    try {
      await counted;
    } finally {
      if (this.counting.get(key) === counted) this.counting.delete(key);
    }
    throw refusal;
  }

  private async count(key: string): Promise<void> {
    const blocked = this.blocked.get(key);
    if (blocked) throw blocked;
    const { rowCount } = await this.pool.query(COUNT, [key]);
    if (rowCount) {
      await this.pool.query(SWEEP);
      return;
    }
    const { rows } = await this.pool.query<{ seconds: number }>(LEFT, [key]);
    const seconds = Math.max(1, rows[0]?.seconds ?? 1);
    const refusal = new DomainError('tooMany', 'too many failed attempts, please wait a moment', undefined, {
      retryAfter: seconds,
    });
    this.blocked.set(key, refusal, { ttl: seconds * 1000 });
    throw refusal;
  }
}
