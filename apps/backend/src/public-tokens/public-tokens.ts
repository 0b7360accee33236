/**
 * Tokens with which products read their texts and notifications. A token has 256 random bits, is shown once, and is
 * looked up by its SHA-256, so neither the database nor response times reveal anything about it. This process remembers
 * the tokens that were used lately, and forgets one when its revocation is projected.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { product, streamParts, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { PublicTokenView, StoredPublicToken } from '@quarterdeck/projections';
import { LRUCache } from 'lru-cache';
import { transaction } from '../platform/database';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import { askedInstant } from '../platform/as-of';
import { inView } from '../platform/in-view';
import { detailOf } from '../platform/kit';
import { type CommandMeta, FailedAttempts, hashed, idFor, ownMeta, secretFor } from '../platform/sessions';
import { DB, LOGGER, type Logger, type Pool, VAULT, type Vault } from '../platform/tokens';
import { fingerprintOf } from '../platform/vault';
import {
  IssuePublicToken,
  publicTokenDecider,
  RecordPublicTokenUse,
  RevokePublicToken,
} from './public-tokens.decider';
import { type FirstUse, TokenUses } from './token-uses';

export interface Reader {
  /** Of the token. */
  id: string;
  product: string;
  workspace: string;
}

const REMEMBERED = 10_000;
/** A revocation by another process is heard at once. This is for one that is never heard. */
const REMEMBERED_MS = 60_000;
const COUNT_MS = 5000;

const refused = (): DomainError =>
  new DomainError('unauthenticated', 'a token of the product is needed: Authorization: Bearer qd_pub_…');

const stored = inView<StoredPublicToken>('view');
const SHOWN = `select view - ${stored.keys('productId')} as view from read.public_tokens where workspace = $1`;

@Injectable()
export class PublicTokens implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly known = new LRUCache<string, Reader>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  /** Number of revocations heard so far: a look-up that began before one is not remembered. */
  private revocations = 0;
  private readonly uses: TokenUses;
  private counting: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly decisions: Decisions,
    private readonly failures: FailedAttempts,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.uses = new TokenUses(pool, (use) => this.record(use));
  }

  onApplicationBootstrap(): void {
    this.counting = setInterval(() => void this.addUses(), COUNT_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.counting);
    await this.addUses();
  }

  async issue(of: string, meta: CommandMeta): Promise<{ id: string; token: string; position: Position }> {
    const { name } = await this.productOf(of, meta.workspace);
    const [id, token] = [
      idFor('public token', meta),
      `qd_pub_${secretFor('public token', meta, this.vault)}`,
    ];
    return transaction(this.pool, async (client) => {
      // A repeated request finds the token as it was issued.
      await client.query(
        `insert into app.public_tokens (hash, id, workspace, product) values ($1, $2, $3, $4)
         on conflict (hash) do nothing`,
        [hashed(token), id, meta.workspace, of],
      );
      const data = { product: { id: of, name }, fingerprint: fingerprintOf(token) };
      const { position } = await this.decisions.execute(
        publicTokenDecider,
        new IssuePublicToken(id, data, meta),
      );
      return { id, token, position };
    });
  }

  async revoke(id: string, meta: CommandMeta): Promise<Decision> {
    const { rows } = await this.pool.query(`${SHOWN} and id = $2`, [meta.workspace, id]);
    if (rows.length === 0) throw notFound('product token');
    return this.revokeKnown(id, meta);
  }

  /**
   * For a product that is removed: a restored one gets no old token back.
   * @returns the position of the last event; undefined if there was nothing to revoke
   */
  async revokeAll(of: string, meta: CommandMeta): Promise<Position | undefined> {
    const { rows } = await this.pool.query<{ id: string }>(
      'select id from app.public_tokens where workspace = $1 and product = $2 and revoked_at is null order by id',
      [meta.workspace, of],
    );
    let last: Position | undefined;
    for (const { id } of rows) last = (await this.revokeKnown(id, meta)).position;
    return last;
  }

  /** Newest first. */
  async list(of: string, workspace: string): Promise<(PublicTokenView & { uses?: number })[]> {
    await this.productOf(of, workspace);
    const { rows: tokens } = await this.pool.query<{ view: PublicTokenView }>(
      `${SHOWN} and "productId" = $2 order by position desc, id`,
      [workspace, of],
    );
    if (askedInstant.getStore()) return tokens.map(({ view }) => view);
    await this.addUses();
    const { rows } = await this.pool.query<{ id: string; uses: string; at: Date | null }>(
      'select id, uses::text, used_at as at from app.public_tokens where workspace = $1 and product = $2',
      [workspace, of],
    );
    const counted = new Map(rows.map((row) => [row.id, row]));
    return tokens.map(({ view }) => {
      const { uses = '0', at } = counted.get(view.id) ?? {};
      return { ...view, ...(at && { uses: Number(uses), usedAt: at.toISOString() }) };
    });
  }

  /**
   * Whose token it is. Guesses by others from the same address never block a valid token.
   * @throws DomainError `unauthenticated` if nobody's; `tooMany` after too many such failures from one address
   */
  async read(token: string, address: string): Promise<Reader> {
    // Nothing was guessed.
    if (token === '') throw refused();
    const reader = await this.readerOf(hashed(token));
    if (!reader) return this.failures.refuse(address, refused(), 'public-token ');
    this.uses.count(reader.id);
    return reader;
  }

  /** The id of a token that was used lately: the rate limit counts by it. */
  idOf(token: string): string | undefined {
    return this.known.get(hashed(token))?.id;
  }

  /** Called with every projected event. */
  heard(events: readonly RecordedEvent[]): void {
    for (const { type, stream } of events) {
      if (type !== 'PublicTokenRevoked') continue;
      this.revocations += 1;
      const { id } = streamParts(stream);
      for (const [hash, reader] of this.known.entries()) if (reader.id === id) this.known.delete(hash);
    }
  }

  private async readerOf(hash: string): Promise<Reader | undefined> {
    const known = this.known.get(hash);
    if (known) return known;
    const { revocations } = this;
    const { rows } = await this.pool.query<Reader>(
      'select id, product, workspace from app.public_tokens where hash = $1 and revoked_at is null',
      [hash],
    );
    const [reader] = rows;
    if (reader && revocations === this.revocations) this.known.set(hash, reader);
    return reader;
  }

  /** Revoked before the event: whoever hears the event finds no valid token. */
  private async revokeKnown(id: string, meta: CommandMeta): Promise<Decision> {
    await this.pool.query(
      `update app.public_tokens set revoked_at = coalesce(revoked_at, clock_timestamp())
       where id = $1 and workspace = $2`,
      [id, meta.workspace],
    );
    return this.decisions.execute(publicTokenDecider, new RevokePublicToken(id, {}, meta));
  }

  private async productOf(id: string, workspace: string): Promise<{ name: string }> {
    const found = await detailOf(product, this.pool, workspace, id);
    if (!found) throw notFound('product');
    return { name: String(found['name']) };
  }

  private addUses(): Promise<void> {
    return this.uses.add().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'uses of product tokens could not be counted');
    });
  }

  private async record({ id, workspace, uses }: FirstUse): Promise<void> {
    const used = new RecordPublicTokenUse(id, { count: uses }, ownMeta('system', workspace));
    await this.decisions.execute(publicTokenDecider, used);
  }
}
