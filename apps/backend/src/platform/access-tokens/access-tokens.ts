/**
 * Tokens with which something outside reaches the console: running apps, products, senders of e-mails. A token has 256
 * random bits, is shown once, and is looked up by its SHA-256, so neither the database nor response times reveal
 * anything about it.
 *
 * One more kind of token needs:
 * - the events `…Issued` (with at least the `fingerprint`), `…Used` (`{ count }`) and `…Revoked` (`{ fingerprint }`) with
 *   their noun, as in `public-tokens.events.ts` and `public-tokens.noun.ts`;
 * - a read model with one row for each token that is not revoked: `tokenRows` of `libs/projections`;
 * - a table `hash text primary key, id uuid not null unique, workspace uuid not null, <owner> uuid not null,
 *   revoked_at timestamptz, uses bigint not null default 0, used_at timestamptz`, with an index on `(workspace, <owner>)`;
 *   a column `expires_at timestamptz` if its tokens expire;
 * - a class with a field `tokens = accessTokens.of<Stem, View, Row>({ … })`, which says what is special about the kind, and a
 *   hook that calls `revokeAll` when the owner is removed. `public-tokens.ts` is the shortest one.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import type { PoolClient } from 'pg';
import { askedInstant } from '../as-of';
import { transaction } from '../database';
import type { Decision } from '../decider';
import { Decisions } from '../decisions';
import { DomainError, notFound } from '../errors';
import { type CommandMeta, FailedAttempts, hashed, idFor, ownMeta, secretFor } from '../sessions';
import { DB, type Pool, VAULT, type Vault } from '../tokens';
import { fingerprintOf } from '../vault';
import { type IssuedData, tokenDecider, type TokenNoun, type TokenStem } from './token.decider';

/** Valid tokens of one owner. */
const MAX_TOKENS = 1000;

export interface TokenKind<S extends TokenStem> extends TokenNoun<S> {
  /** Repeated calls derive the same id and token from it, so it never changes. Failed attempts are counted by it. */
  name: string;
  prefix: `qd_${string}_`;
  table: `app.${string}`;
  /** The read model. */
  rows: `read.${string}`;
  /** The column of `table` with the id of the owner. The read model's column is called `<owner>Id`. */
  owner: string;
  expires?: true;
  /** Told to whoever comes with a token that is not valid. */
  refusal: string;
  /** Properties of the read model that nobody is shown, beside `<owner>Id`. */
  hidden?: readonly string[];
  /** Ends what must not outlive a token. Can be repeated. */
  afterRevocation?: (issued: IssuedData<S>, workspace: string) => Promise<unknown>;
}

/** The columns of the table that all kinds have. Each kind has the one of its owner, and may have more. */
interface TokenRow {
  id: string;
  workspace: string;
}

export class TokensOf<S extends TokenStem, View extends object, Row extends object> {
  private readonly noun: ReturnType<typeof tokenDecider<S>>;
  /** Conditions of a row. */
  private readonly lives: string;
  private readonly valid: string;

  constructor(
    private readonly kind: TokenKind<S>,
    private readonly ground: { pool: Pool; decisions: Decisions; failures: FailedAttempts; vault: Vault },
  ) {
    this.noun = tokenDecider(kind);
    this.lives = kind.expires ? '(expires_at is null or expires_at > clock_timestamp())' : 'true';
    this.valid = `revoked_at is null and ${this.lives}`;
  }

  /**
   * @param columns of the row, beside those that all kinds have
   * @param dataOf what is recorded. `row`: of a repeated request, as the first one made it
   * @throws DomainError `unprocessable` if the owner has too many
   */
  async issue(
    of: string,
    meta: CommandMeta,
    dataOf: (fingerprint: string, row: TokenRow & Row) => IssuedData<S>,
    columns: object = {},
  ): Promise<{ id: string; token: string; position: Position; row: TokenRow & Row }> {
    const { name, prefix, table, owner } = this.kind;
    const { workspace } = meta;
    const token = `${prefix}${secretFor(name, meta, this.ground.vault)}`;
    const row = { hash: hashed(token), id: idFor(name, meta), workspace, [owner]: of, ...columns };
    const places = Object.keys(row).map((_, at) => `$${at + 1}`);
    return transaction(this.ground.pool, async (client) => {
      await this.refuseTooMany(client, row.hash, of, workspace);
      const { rows } = await client.query<TokenRow & Row>(
        `insert into ${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')})
         on conflict (hash) do update set id = excluded.id returning *`,
        Object.values(row),
      );
      const [stored] = rows as [TokenRow & Row];
      const issue = new this.noun.Issue(row.id, dataOf(fingerprintOf(token), stored), meta);
      const { position } = await this.ground.decisions.execute(this.noun.decider, issue);
      return { id: row.id, token, position, row: stored };
    });
  }

  /** @throws DomainError `notFound` */
  async revoke(id: string, meta: CommandMeta): Promise<Decision> {
    const { rows, words } = this.kind;
    const { rowCount } = await this.ground.pool.query(
      `select from ${rows} where workspace = $1 and id = $2`,
      [meta.workspace, id],
    );
    if (rowCount === 0) throw notFound(words);
    return this.revokeKnown(id, meta);
  }

  /**
   * For owners that are removed: a restored one gets no old token back.
   * @returns the position of the last event; undefined if there was nothing to revoke
   */
  async revokeAll(of: readonly string[], meta: CommandMeta): Promise<Position | undefined> {
    const { table, rows, owner } = this.kind;
    // A token that is still shown may lack its event, because the process died after it had revoked the token.
    const found = await this.ground.pool.query<{ id: string }>(
      `select id from ${table} where workspace = $1 and ${owner}::text = any($2::text[]) and ${this.lives}
         and (revoked_at is null or id::text in (select id from ${rows} where workspace = $1::text))
       order by id`,
      [meta.workspace, of],
    );
    let last: Position | undefined;
    for (const { id } of found.rows) last = (await this.revokeKnown(id, meta)).position;
    return last;
  }

  /** Newest first. Expired tokens stay on the list until they are revoked. */
  async list(of: string, workspace: string): Promise<(View & { uses?: number })[]> {
    const { table, rows, owner, hidden = [] } = this.kind;
    const { pool } = this.ground;
    const known = await pool.query<{ id: string; view: View }>(
      `select id, view - $3::text[] as view from ${rows} where workspace = $1 and "${owner}Id" = $2
       order by position desc, id limit ${MAX_TOKENS}`,
      [workspace, of, [`${owner}Id`, ...hidden]],
    );
    if (askedInstant.getStore()) return known.rows.map(({ view }) => view);
    const counted = await pool.query<{ id: string; uses: string; at: Date | null }>(
      `select id, uses::text, used_at as at from ${table} where id = any($1)`,
      [known.rows.map(({ id }) => id)],
    );
    const uses = new Map(counted.rows.map((row) => [row.id, row]));
    return known.rows.map(({ id, view }) => {
      const { uses: count, at } = uses.get(id) ?? {};
      return { ...view, ...(at && { uses: Number(count), usedAt: at.toISOString() }) };
    });
  }

  /** The row of a valid token. Takes no lock and no transaction, because guesses are cheap to make. */
  async find(by: { token: string } | { id: string }): Promise<(TokenRow & Row) | undefined> {
    const [column, value] = 'id' in by ? ['id', by.id] : ['hash', hashed(by.token)];
    const { rows } = await this.ground.pool.query<TokenRow & Row>(
      `select * from ${this.kind.table} where ${column} = $1 and ${this.valid}`,
      [value],
    );
    return rows[0];
  }

  /**
   * Whose token it is. Guesses by others from the same address never block a valid token.
   * @throws DomainError `unauthenticated`; `tooMany` after too many failures from one address
   */
  async read(token: string, address: string): Promise<TokenRow & Row> {
    return (await this.find({ token })) ?? this.refuse(address);
  }

  /** @throws the refusal, which counts as a guess of the address */
  refuse(address: string, why: string = this.kind.refusal): Promise<never> {
    const door = `${this.kind.name.replace(' ', '-')} `;
    return this.ground.failures.refuse(address, new DomainError('unauthenticated', why), door);
  }

  /** What was recorded of a token when it was issued. */
  async issued(id: string, workspace: string): Promise<IssuedData<S> | undefined> {
    const { state } = await this.ground.decisions.load(this.noun.decider, id, workspace);
    return state.is === 'unknown' ? undefined : state.token;
  }

  /** @throws the refusal if the token is not valid any more */
  async use(id: string, client: PoolClient): Promise<void> {
    const used = await this.useAll(new Map([[id, 1]]), client);
    if (used === 0) throw new DomainError('unauthenticated', this.kind.refusal);
  }

  /**
   * Adds to the counts of tokens, and records the first use of a day. The rows stay locked until the transaction ends.
   * @returns the number of tokens that are still valid
   */
  async useAll(uses: ReadonlyMap<string, number>, client: PoolClient): Promise<number> {
    const { table } = this.kind;
    const { rows } = await client.query<{ id: string; workspace: string; uses: string; isFirst: boolean }>(
      `with known as (
         select t.id, t.used_at, new.uses from ${table} t
           join unnest($1::uuid[], $2::bigint[]) as new (id, uses) on new.id = t.id
         where ${this.valid} order by t.id for update of t)
       update ${table} t set uses = t.uses + known.uses, used_at = clock_timestamp() from known
       where t.id = known.id
       returning t.id, t.workspace, t.uses::text, (known.used_at is null or
         (known.used_at at time zone 'utc')::date < (clock_timestamp() at time zone 'utc')::date) as "isFirst"`,
      [[...uses.keys()], [...uses.values()]],
    );
    for (const { isFirst, id, workspace, uses: count } of rows)
      if (isFirst) {
        const first = new this.noun.RecordUse(id, { count: Number(count) }, ownMeta('system', workspace));
        await this.ground.decisions.execute(this.noun.decider, first);
      }
    return rows.length;
  }

  /** Revoked before the event: whoever hears of the event finds no valid token. */
  private async revokeKnown(id: string, meta: CommandMeta): Promise<Decision> {
    const { workspace } = meta;
    await this.ground.pool.query(
      `update ${this.kind.table} set revoked_at = coalesce(revoked_at, clock_timestamp())
       where id = $1 and workspace = $2`,
      [id, workspace],
    );
    const decision = await this.ground.decisions.execute(
      this.noun.decider,
      new this.noun.Revoke(id, {}, meta),
    );
    const issued = this.kind.afterRevocation && (await this.issued(id, workspace));
    if (issued) await this.kind.afterRevocation?.(issued, workspace);
    return decision;
  }

  private async refuseTooMany(
    client: PoolClient,
    hash: string,
    of: string,
    workspace: string,
  ): Promise<void> {
    const { table, owner, words } = this.kind;
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from ${table}
       where workspace = $1 and ${owner} = $2 and hash <> $3 and ${this.valid}`,
      [workspace, of, hash],
    );
    if ((rows[0]?.others ?? 0) >= MAX_TOKENS)
      throw new DomainError(
        'unprocessable',
        `there are ${MAX_TOKENS} valid ones already: revoke a ${words} that nobody needs`,
      );
  }
}

@Injectable()
export class AccessTokens {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly decisions: Decisions,
    private readonly failures: FailedAttempts,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  /**
   * @template View what the list shows
   * @template Row the kind's own columns of its table
   */
  of<S extends TokenStem, View extends object, Row extends object>(
    kind: TokenKind<S>,
  ): TokensOf<S, View, Row> {
    const { pool, decisions, failures, vault } = this;
    return new TokensOf(kind, { pool, decisions, failures, vault });
  }
}
