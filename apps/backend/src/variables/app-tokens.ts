/** Tokens with which running apps read their own variables. */
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import type { AppTokenView } from '@quarterdeck/projections';
import { AccessTokens } from '../platform/access-tokens';
import { transaction } from '../platform/database';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { findService, type ServiceOf } from './variables.queries';

export interface ReadBy {
  service: ServiceOf;
  env: number;
  workspace: string;
}

interface Row {
  service: string;
  env: number;
  expires_at: Date | null;
}

const expiryOf = ({ expires_at: until }: Row): { expiresAt?: string } =>
  until ? { expiresAt: until.toISOString() } : {};

@Injectable()
export class AppTokens {
  private readonly tokens;

  constructor(
    @Inject(DB) private readonly pool: Pool,
    tokens: AccessTokens,
  ) {
    this.tokens = tokens.of<'AppToken', AppTokenView, Row>({
      stem: 'AppToken',
      category: 'apptoken',
      name: 'app token',
      words: 'app token',
      prefix: 'qd_app_',
      table: 'app.app_tokens',
      rows: 'read.app_tokens',
      owner: 'service',
      expires: true,
      refusal: 'this token is not valid for these variables',
      usedData: (count, { env }) => ({ env, count }),
    });
  }

  /** @param seconds how long it is valid; absent: until it is revoked */
  async issue(
    { id: service, name }: ServiceOf,
    env: number,
    seconds: number | undefined,
    meta: CommandMeta,
  ): Promise<{ id: string; token: string; expiresAt?: string; position: Position }> {
    const until = seconds === undefined ? null : new Date(Date.parse(meta.at) + seconds * 1000).toISOString();
    const { row, ...issued } = await this.tokens.issue(
      service,
      meta,
      (fingerprint, stored) => ({ service: { id: service, name }, env, fingerprint, ...expiryOf(stored) }),
      { env, expires_at: until },
    );
    return { ...issued, ...expiryOf(row) };
  }

  revoke(id: string, meta: CommandMeta) {
    return this.tokens.revoke(id, meta);
  }

  revokeOfService(service: string, meta: CommandMeta): Promise<Position | undefined> {
    return this.tokens.revokeAll([service], meta);
  }

  async revokeOfProduct(product: string, meta: CommandMeta): Promise<Position | undefined> {
    const { rows } = await this.pool.query<{ id: string }>(
      'select id from read.services where workspace = $1 and product = $2',
      [meta.workspace, product],
    );
    return this.tokens.revokeAll(
      rows.map(({ id }) => id),
      meta,
    );
  }

  list(service: string, workspace: string) {
    return this.tokens.list(service, workspace);
  }

  /**
   * @param of the service and environment that the app expects
   * @throws DomainError `unauthenticated` for every failure; `tooMany` after too many failures from one address
   */
  async read(
    token: string,
    of: { service?: string | undefined; env?: number | undefined },
    address: string,
  ): Promise<ReadBy> {
    const { id, workspace, service: owner, env } = await this.tokens.read(token, address);
    const isOther = (of.service ?? owner) !== owner || (of.env ?? env) !== env;
    const service = isOther ? undefined : await findService(this.pool, workspace, owner);
    if (!service) return this.tokens.refuse(address);
    await transaction(this.pool, (client) => this.tokens.use(id, client));
    return { service, env, workspace };
  }
}
