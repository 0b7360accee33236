/**
 * Sign-ins in progress at a provider. A state works once, for ten minutes, and only in the browser that asked for it: a
 * state from somebody else's link signs nobody in.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { SignInProvider } from '@quarterdeck/events';
import { hashed, randomSecret } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import type { Secrets } from './provider';

export const ATTEMPT_SECONDS = 600;

export interface Attempt {
  provider: SignInProvider;
  /** Name of a workspace. */
  instance: string;
  /** Whether the sign-in should create the workspace, because there was none of this name. */
  creates: boolean;
}

@Injectable()
export class Attempts {
  constructor(@Inject(DB) private readonly pool: Pool) {}

  /** @param browser identifies the browser that has to return the state: a secret in its cookie, or a session */
  async begin({ provider, instance, creates }: Attempt, browser: string): Promise<Secrets> {
    const secrets = { state: randomSecret(), nonce: randomSecret(), verifier: randomSecret() };
    await this.pool.query('delete from app.sign_in_attempts where expires_at < now()');
    await this.pool.query(
      `insert into app.sign_in_attempts (state, browser, provider, instance, creates, nonce, verifier, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
      [
        hashed(secrets.state),
        hashed(browser),
        provider,
        instance,
        creates,
        secrets.nonce,
        secrets.verifier,
        ATTEMPT_SECONDS,
      ],
    );
    return secrets;
  }

  /** Whether `take` would find it. */
  async isOpen(provider: SignInProvider, state: string, browser: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from app.sign_in_attempts
       where state = $1 and browser = $2 and provider = $3 and expires_at > now()`,
      [hashed(state), hashed(browser), provider],
    );
    return rowCount === 1;
  }

  /** Uses the state up. @returns `undefined` if it was never given to this browser, was used before, or has expired */
  async take(
    provider: SignInProvider,
    state: string,
    browser: string,
  ): Promise<(Attempt & Secrets) | undefined> {
    const { rows } = await this.pool.query<Omit<Attempt & Secrets, 'state' | 'provider'>>(
      `delete from app.sign_in_attempts
       where state = $1 and browser = $2 and provider = $3 and expires_at > now()
       returning instance, creates, nonce, verifier`,
      [hashed(state), hashed(browser), provider],
    );
    return rows[0] && { ...rows[0], provider, state };
  }
}
