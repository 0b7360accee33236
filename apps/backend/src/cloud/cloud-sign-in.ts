/** The round trip to the provider's page of consent. A state works once, for ten minutes, and only for its session. */
import { Inject, Injectable } from '@nestjs/common';
import { publicAddress } from '../platform/database';
import type { Decision } from '../platform/decider';
import { DomainError } from '../platform/errors';
import { type CommandMeta, hashed, randomSecret, type Session } from '../platform/sessions';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { CloudAccounts } from './cloud-accounts';
import { consentAddress, exchangeCode, type OAuthClient } from './digitalocean-oauth';

const SECONDS = 600;

export interface Callback {
  state: string;
  code?: string | undefined;
  error?: string | undefined;
}

@Injectable()
export class CloudSignIn {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(CONFIG) private readonly config: Config,
    private readonly accounts: CloudAccounts,
  ) {}

  /** @returns the address that the browser opens */
  async begin({ id, workspace }: Session): Promise<string> {
    const client = this.client();
    const state = randomSecret();
    await this.db.query('delete from app.cloud_sign_ins where expires_at < now()');
    await this.db.query(
      `insert into app.cloud_sign_ins (state, session, workspace, expires_at)
       values ($1, $2, $3, now() + make_interval(secs => $4))`,
      [hashed(state), hashed(id), workspace, SECONDS],
    );
    return consentAddress(client, { redirectUri: await this.redirectUri(), state });
  }

  async finish({ state, code, error }: Callback, { id }: Session, meta: CommandMeta): Promise<Decision> {
    const client = this.client();
    const { rowCount } = await this.db.query(
      `delete from app.cloud_sign_ins
       where state = $1 and session = $2 and workspace = $3 and expires_at > now()`,
      [hashed(state), hashed(id), meta.workspace],
    );
    if (rowCount !== 1)
      throw new DomainError(
        'unprocessable',
        'this sign-in has expired, or was begun by somebody else: please begin again',
        undefined,
        { code: 'expired' },
      );
    if (code === undefined || code === '') {
      const why = error === 'access_denied' ? 'access was denied there' : 'it gave no code';
      throw new DomainError('unprocessable', `DigitalOcean did not connect the account: ${why}`, undefined, {
        code: 'denied',
      });
    }
    const granted = await exchangeCode(client, code, await this.redirectUri());
    return this.accounts.connect(granted, 'oauth', meta);
  }

  private client(): OAuthClient {
    const { client } = this.accounts;
    if (client) return client;
    throw new DomainError(
      'unprocessable',
      'signing in at DigitalOcean is not set up here: enter a personal token, or set DIGITALOCEAN_CLIENT_ID and DIGITALOCEAN_CLIENT_SECRET',
      undefined,
      { code: 'noClient' },
    );
  }

  private async redirectUri(): Promise<string> {
    return `${await publicAddress(this.db, this.config)}/app/do`;
  }
}
