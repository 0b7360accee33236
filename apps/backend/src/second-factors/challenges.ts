/** Challenges for passkeys. Each works once, for five minutes, in the session that asked for it. */
import { Inject, Injectable } from '@nestjs/common';
import { DB, type Pool } from '../platform/tokens';
import type { Session } from '../platform/sessions';

/** To make a passkey, or to use one. */
type Purpose = 'make' | 'use';

const VALID_SECONDS = 5 * 60;

@Injectable()
export class Challenges {
  constructor(@Inject(DB) private readonly pool: Pool) {}

  async keep({ id, person }: Session, purpose: Purpose, challenge: string): Promise<void> {
    await this.pool.query('delete from app.second_factor_challenges where expires_at < now()');
    await this.pool.query(
      `insert into app.second_factor_challenges (session, purpose, person, challenge, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(secs => $5))
       on conflict (session, purpose) do update
       set challenge = excluded.challenge, expires_at = excluded.expires_at`,
      [id, purpose, person, challenge, VALID_SECONDS],
    );
  }

  async take({ id }: Session, purpose: Purpose): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ challenge: string }>(
      `delete from app.second_factor_challenges
       where session = $1 and purpose = $2 and expires_at > now() returning challenge`,
      [id, purpose],
    );
    return rows[0]?.challenge;
  }
}
