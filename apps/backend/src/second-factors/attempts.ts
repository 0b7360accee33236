/**
 * Limits guesses of an authenticator app's codes: one of a million codes fits, three count at a time. Whoever guesses
 * has passed the first factor already.
 *
 * An attempt is counted before it is checked, so the limits also hold for concurrent attempts, and refunded if the code
 * was right. Each address has a few failures per window. All addresses at which the person has never given the factor
 * share a second, daily limit, so an attacker with many addresses gets no further, and cannot use up the attempts of
 * the places where the person works. Passkeys and recovery codes cannot be guessed and are not limited here: with them
 * the person always gets in.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { transaction } from '../platform/database';
import { DomainError } from '../platform/errors';
import { DB, type Pool } from '../platform/tokens';

interface Limit {
  failures: number;
  seconds: number;
}

const OF_ADDRESS: Limit = { failures: 5, seconds: 5 * 60 };
const DAY_SECONDS = 24 * 60 * 60;
const OF_STRANGERS: Limit = { failures: 30, seconds: DAY_SECONDS };
const OF_KNOWN: Limit = { failures: 100, seconds: DAY_SECONDS };
const KNOWN_DAYS = 30;

const OVER = `known.since < clock_timestamp() - make_interval(secs => $3)`;

const TAKE = `
  insert into app.second_factor_attempts as known (person, place, since, failed)
  values ($1, $2, clock_timestamp(), 1)
  on conflict (person, place) do update set
    since = case when ${OVER} then excluded.since else known.since end,
    failed = case when ${OVER} then 1 else known.failed + 1 end
  where ${OVER} or known.failed < $4
  returning proved_at > clock_timestamp() - interval '${KNOWN_DAYS} days' as proved`;

const LEFT = `
  select extract(epoch from since + make_interval(secs => $3) - clock_timestamp())::float8 as seconds
  from app.second_factor_attempts where person = $1 and place = $2`;

const SWEEP = `
  delete from app.second_factor_attempts
  where person = $1 and greatest(since, proved_at) < clock_timestamp() - interval '${KNOWN_DAYS} days'`;

@Injectable()
export class FactorAttempts {
  constructor(@Inject(DB) private readonly pool: Pool) {}

  /**
   * @param work throws if the code is wrong
   * @throws DomainError `tooMany`, and then does not call `work`
   */
  async limited<T>(person: string, address: string, work: () => Promise<T>): Promise<T> {
    const group = await this.count(person, address);
    const result = await work();
    await this.pool.query(
      `update app.second_factor_attempts set
         failed = case when place = $2 then 0 else greatest(failed - 1, 0) end,
         proved_at = case when place = $2 then clock_timestamp() end
       where person = $1 and place in ($2, $3)`,
      [person, address, group],
    );
    await this.pool.query(SWEEP, [person]);
    return result;
  }

  /** @returns the group of the address */
  private count(person: string, address: string): Promise<string> {
    return transaction(this.pool, async (client) => {
      const isKnown = await this.take(client, person, address, OF_ADDRESS);
      const group = isKnown ? 'known addresses' : 'other addresses';
      await this.take(client, person, group, isKnown ? OF_KNOWN : OF_STRANGERS);
      return group;
    });
  }

  /** @returns whether the person has given the factor at this place before */
  private async take(
    client: ClientBase,
    person: string,
    place: string,
    { failures, seconds }: Limit,
  ): Promise<boolean> {
    const { rows } = await client.query<{ proved: boolean | null }>(TAKE, [person, place, seconds, failures]);
    if (rows[0]) return rows[0].proved ?? false;
    const left = await client.query<{ seconds: number }>(LEFT, [person, place, seconds]);
    throw new DomainError(
      'tooMany',
      'too many wrong codes: use a passkey or a recovery code, or wait',
      undefined,
      { retryAfter: Math.max(1, left.rows[0]?.seconds ?? 1) },
    );
  }
}
