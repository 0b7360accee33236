/**
 * Tokens with which running apps read their own variables. A token has 256 random bits, is shown once, and is looked up
 * by its SHA-256, so neither the database nor response times reveal anything about it.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import type { AppTokenView } from '@quarterdeck/projections';
import { transaction } from '../platform/database';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import { askedInstant } from '../platform/as-of';
import { type CommandMeta, FailedAttempts, hashed, idFor, ownMeta, secretFor } from '../platform/sessions';
import { DB, type Pool, VAULT, type Vault } from '../platform/tokens';
import { fingerprintOf } from '../platform/vault';
import { appTokenDecider, IssueAppToken, RecordAppTokenUse, RevokeAppToken } from './app-tokens.decider';
import { findService, tokenDetail, tokensOf, type ServiceOf } from './variables.queries';

export interface ReadBy {
  service: ServiceOf;
  env: number;
  workspace: string;
}

interface Row {
  id: string;
  workspace: string;
  service: string;
  env: number;
  uses: string;
  isFirst: boolean;
}

/** Counts the use. The row stays locked until its event is recorded. */
const USE = `
  with known as (
    select id, used_at from app.app_tokens
    where hash = $1 and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())
      and ($2::uuid is null or service = $2::uuid) and ($3::int is null or env = $3::int)
    for update)
  update app.app_tokens t set uses = t.uses + 1, used_at = clock_timestamp() from known
  where t.id = known.id
  returning t.id, t.workspace, t.service, t.env, t.uses::text,
    (known.used_at is null or (known.used_at at time zone 'utc')::date < (clock_timestamp() at time zone 'utc')::date)
      as "isFirst"`;

const refused = (): DomainError =>
  new DomainError('unauthenticated', 'this token is not valid for these variables');

@Injectable()
export class AppTokens {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly decisions: Decisions,
    private readonly failures: FailedAttempts,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  /** @param seconds how long it is valid; absent: until it is revoked */
  async issue(
    { id: service, name }: ServiceOf,
    env: number,
    seconds: number | undefined,
    meta: CommandMeta,
  ): Promise<{ id: string; token: string; expiresAt?: string; position: Position }> {
    const [id, token] = [idFor('app token', meta), `qd_app_${secretFor('app token', meta, this.vault)}`];
    const asked = seconds === undefined ? null : new Date(Date.parse(meta.at) + seconds * 1000).toISOString();
    return transaction(this.pool, async (client) => {
      // A repeated request finds the token as it was issued.
      const { rows } = await client.query<{ until: Date | null }>(
        `insert into app.app_tokens (hash, id, workspace, service, env, expires_at)
         values ($1, $2, $3, $4, $5, $6) on conflict (hash) do update set id = excluded.id
         returning expires_at as until`,
        [hashed(token), id, meta.workspace, service, env, asked],
      );
      const until = rows[0]?.until;
      const expiry = until ? { expiresAt: until.toISOString() } : {};
      const data = { service: { id: service, name }, env, fingerprint: fingerprintOf(token), ...expiry };
      const { position } = await this.decisions.execute(appTokenDecider, new IssueAppToken(id, data, meta));
      return { id, token, position, ...expiry };
    });
  }

  async revoke(id: string, meta: CommandMeta) {
    if (!(await tokenDetail(this.pool, meta.workspace, id))) throw notFound('app token');
    return this.revokeKnown(id, meta);
  }

  /**
   * For services that are removed: a restored one gets no old token back.
   * @returns the position of the last event; undefined if there was nothing to revoke
   */
  async revokeAll(
    { service, product }: { service?: string; product?: string },
    meta: CommandMeta,
  ): Promise<Position | undefined> {
    const { rows } = await this.pool.query<{ id: string }>(
      `select t.id from app.app_tokens t
       where t.workspace = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp())
         and (t.service = $2 or t.service::text in (
           select s.id from read.services s where s.workspace = $1::text and s.product = $3))
       order by t.id`,
      [meta.workspace, service ?? null, product ?? null],
    );
    let last: Position | undefined;
    for (const { id } of rows) last = (await this.revokeKnown(id, meta)).position;
    return last;
  }

  private revokeKnown(id: string, meta: CommandMeta): Promise<Decision> {
    return transaction(this.pool, async (client) => {
      await client.query(
        'update app.app_tokens set revoked_at = clock_timestamp() where id = $1 and workspace = $2',
        [id, meta.workspace],
      );
      return this.decisions.execute(appTokenDecider, new RevokeAppToken(id, {}, meta));
    });
  }

  /** Newest first. Expired tokens are not valid any more, but stay on the list until they are revoked. */
  async list(service: string, workspace: string): Promise<(AppTokenView & { uses?: number })[]> {
    const tokens = await tokensOf(this.pool, workspace, service);
    if (askedInstant.getStore()) return tokens;
    const { rows } = await this.pool.query<{ id: string; uses: string; at: Date | null }>(
      'select id, uses::text, used_at as at from app.app_tokens where workspace = $1 and service = $2',
      [workspace, service],
    );
    const counted = new Map(rows.map((row) => [row.id, row]));
    return tokens.map((token) => {
      const { uses = '0', at } = counted.get(token.id) ?? {};
      return { ...token, ...(at && { uses: Number(uses), usedAt: at.toISOString() }) };
    });
  }

  /**
   * Guesses by others from the same address never block a valid token.
   * @param of the service and environment that the app expects
   * @throws DomainError `unauthenticated` for every failure; `tooMany` after too many failures from one address
   */
  async read(
    token: string,
    of: { service?: string | undefined; env?: number | undefined },
    address: string,
  ): Promise<ReadBy> {
    const found = (await this.isKnown(token)) ? await this.use(token, of) : undefined;
    return found ?? this.failures.refuse(address, refused(), 'app-token ');
  }

  /** Uses no lock and no transaction, because guesses are cheap to make. */
  private async isKnown(token: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from app.app_tokens where hash = $1', [hashed(token)]);
    return rowCount === 1;
  }

  private async use(
    token: string,
    { service, env }: { service?: string | undefined; env?: number | undefined },
  ): Promise<ReadBy | undefined> {
    return transaction(this.pool, async (client) => {
      const { rows } = await client.query<Row>(USE, [hashed(token), service ?? null, env ?? null]);
      const [row] = rows;
      const known = row && (await findService(this.pool, row.workspace, row.service));
      if (!row || !known) return undefined;
      if (row.isFirst) await this.record(row);
      return { service: known, env: row.env, workspace: row.workspace };
    });
  }

  private async record({ id, workspace, uses }: Row): Promise<void> {
    const used = new RecordAppTokenUse(id, { count: Number(uses) }, ownMeta('system', workspace));
    await this.decisions.execute(appTokenDecider, used);
  }
}
