/**
 * Tokens with which products read their texts and notifications. This process remembers the tokens that were used lately,
 * and forgets one when its revocation is projected.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { product, streamParts, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { PublicTokenView } from '@quarterdeck/projections';
import { LRUCache } from 'lru-cache';
import { AccessTokens } from '../platform/access-tokens';
import { askedInstant } from '../platform/as-of';
import { transaction } from '../platform/database';
import type { Decision } from '../platform/decider';
import { DomainError } from '../platform/errors';
import { requireNamed } from '../platform/kit';
import { type CommandMeta, hashed } from '../platform/sessions';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { TokenUses } from './token-uses';

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

const REFUSAL = 'a token of the product is needed: Authorization: Bearer qd_pub_…';

@Injectable()
export class PublicTokens implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly known = new LRUCache<string, Reader>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  /** Number of revocations heard so far: a look-up that began before one is not remembered. */
  private revocations = 0;
  private readonly tokens;
  private readonly uses: TokenUses;
  private counting: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    tokens: AccessTokens,
  ) {
    this.tokens = tokens.of<'PublicToken', PublicTokenView, { product: string }>({
      stem: 'PublicToken',
      category: 'publictoken',
      name: 'public token',
      words: 'product token',
      prefix: 'qd_pub_',
      table: 'app.public_tokens',
      rows: 'read.public_tokens',
      owner: 'product',
      refusal: REFUSAL,
    });
    this.uses = new TokenUses((uses) => transaction(pool, (client) => this.tokens.useAll(uses, client)));
  }

  onApplicationBootstrap(): void {
    this.counting = setInterval(() => void this.addUses(), COUNT_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.counting);
    await this.addUses();
  }

  async issue(of: string, meta: CommandMeta): Promise<{ id: string; token: string; position: Position }> {
    const { name } = await requireNamed(product, this.pool, meta.workspace, of);
    return this.tokens.issue(of, meta, (fingerprint) => ({ product: { id: of, name }, fingerprint }));
  }

  revoke(id: string, meta: CommandMeta): Promise<Decision> {
    return this.tokens.revoke(id, meta);
  }

  revokeAll(of: string, meta: CommandMeta): Promise<Position | undefined> {
    return this.tokens.revokeAll([of], meta);
  }

  async list(of: string, workspace: string) {
    await requireNamed(product, this.pool, workspace, of);
    if (!askedInstant.getStore()) await this.addUses();
    return this.tokens.list(of, workspace);
  }

  /**
   * Whose token it is. Guesses by others from the same address never block a valid token.
   * @throws DomainError `unauthenticated` if nobody's; `tooMany` after too many such failures from one address
   */
  async read(token: string, address: string): Promise<Reader> {
    // Nothing was guessed.
    if (token === '') throw new DomainError('unauthenticated', REFUSAL);
    const reader = await this.readerOf(token);
    if (!reader) return this.tokens.refuse(address);
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

  /** Any of them may have been revoked. */
  forgetAll(): void {
    this.revocations += 1;
    this.known.clear();
  }

  private async readerOf(token: string): Promise<Reader | undefined> {
    const hash = hashed(token);
    const known = this.known.get(hash);
    if (known) return known;
    const { revocations } = this;
    const reader = await this.tokens.find({ token });
    if (reader && revocations === this.revocations) this.known.set(hash, reader);
    return reader;
  }

  private addUses(): Promise<void> {
    return this.uses.add().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'uses of product tokens could not be counted');
    });
  }
}
