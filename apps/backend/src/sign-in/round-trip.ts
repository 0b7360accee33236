/** The round trip to a provider, shared by sign-in and connecting an account. */
import { Inject, Injectable } from '@nestjs/common';
import { publicAddress } from '../platform/database';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { denied } from '../sessions';
import { Attempts, type Attempt } from './attempts';
import type { Provider, ProvenIdentity } from './provider';

export interface Callback {
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

@Injectable()
export class RoundTrip {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Config,
    private readonly attempts: Attempts,
  ) {}

  /**
   * @param browser identifies the browser that has to come back: a secret that only its cookie contains, or a session
   * @returns the address that the browser opens
   */
  async begin(provider: Provider, about: Omit<Attempt, 'provider'>, browser: string): Promise<string> {
    const secrets = await this.attempts.begin({ provider: provider.name, ...about }, browser);
    return provider.addressFor(await this.redirectUri(provider), secrets, about);
  }

  /** @throws DomainError with the answer's message */
  async finish<T>(
    provider: Provider,
    callback: Callback,
    browser: string,
    work: (attempt: Attempt, identity: ProvenIdentity) => Promise<T>,
  ): Promise<T> {
    const attempt = await this.attempts.take(provider.name, callback.state, browser);
    if (!attempt) throw denied('expired');
    const address = new URL(await this.redirectUri(provider));
    for (const name of ['state', 'code', 'iss', 'error'] as const)
      if (callback[name] !== undefined) address.searchParams.set(name, callback[name]);
    return work(attempt, await provider.identify(address, attempt));
  }

  private async redirectUri(provider: Provider): Promise<string> {
    return `${await publicAddress(this.pool, this.config)}/sso/${provider.name}/redirect`;
  }
}
