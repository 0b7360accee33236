/**
 * Tokens with which products send e-mails in. A token has 256 random bits, is shown once, and is looked up by its SHA-256.
 * The secret that signs webhooks is kept in the vault, because checking a signature needs the secret itself.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import type { MailTokenView } from '@quarterdeck/projections';
import type { PoolClient } from 'pg';
import { validate as isUuid } from 'uuid';
import { askedInstant } from '../platform/as-of';
import { transaction } from '../platform/database';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import { type CommandMeta, FailedAttempts, hashed, idFor, ownMeta, secretFor } from '../platform/sessions';
import { DB, VAULT, type Pool, type Vault } from '../platform/tokens';
import { fingerprintOf, orShred } from '../platform/vault';
import { IssueMailToken, mailTokenDecider, RecordMailTokenUse, RevokeMailToken } from './mails.decider';
import { mailTokensOf, storedMailToken } from './mails.queries';

/** The product that a token belongs to. */
export interface Sender {
  token: string;
  workspace: string;
  product: string;
}

const refused = (): DomainError => new DomainError('unauthenticated', 'this token is not valid');

const DOOR = 'mail-token ';

@Injectable()
export class MailTokens {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly decisions: Decisions,
    private readonly failures: FailedAttempts,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  async issue(
    product: { id: string; name: string },
    meta: CommandMeta,
  ): Promise<{ id: string; token: string; secret: string; position: Position }> {
    const { workspace } = meta;
    const [id, ref] = [idFor('mail token', meta), idFor('mail secret', meta)];
    const token = `qd_mail_${secretFor('mail token', meta, this.vault)}`;
    const secret = `qd_sign_${secretFor('mail secret', meta, this.vault)}`;
    const fingerprint = fingerprintOf(secret);
    await this.vault.put({ workspace, ref }, secret, { kind: 'mail-secret', fingerprint });
    const data = { product, fingerprint: fingerprintOf(token), secret: { ref, fingerprint } };
    const { position } = await orShred(this.vault, workspace, [ref], () =>
      transaction(this.pool, async (client) => {
        await client.query(
          `insert into app.mail_tokens (hash, id, workspace, product) values ($1, $2, $3, $4)
           on conflict (hash) do nothing`,
          [hashed(token), id, workspace, product.id],
        );
        return this.decisions.execute(mailTokenDecider, new IssueMailToken(id, data, meta));
      }),
    );
    return { id, token, secret, position };
  }

  async revoke(id: string, meta: CommandMeta): Promise<Decision> {
    const known = await storedMailToken(this.pool, meta.workspace, id);
    if (!known) throw notFound('mail token');
    return this.revokeKnown(id, known.secretRef, meta);
  }

  /**
   * For a product that is removed: a restored one gets no old token back.
   * @returns the position of the last event; undefined if there was nothing to revoke
   */
  async revokeAll(product: string, meta: CommandMeta): Promise<Position | undefined> {
    let last: Position | undefined;
    for (const { id, secretRef } of await mailTokensOf(this.pool, meta.workspace, product))
      last = (await this.revokeKnown(id, secretRef, meta)).position;
    return last;
  }

  private async revokeKnown(id: string, ref: string, meta: CommandMeta): Promise<Decision> {
    const { workspace } = meta;
    const decision = await transaction(this.pool, async (client) => {
      await client.query(
        'update app.mail_tokens set revoked_at = clock_timestamp() where id = $1 and workspace = $2',
        [id, workspace],
      );
      return this.decisions.execute(mailTokenDecider, new RevokeMailToken(id, {}, meta));
    });
    await this.vault.shred({ workspace, ref });
    return decision;
  }

  /** Newest first. */
  async list(product: string, workspace: string): Promise<(MailTokenView & { uses?: number })[]> {
    const stored = await mailTokensOf(this.pool, workspace, product);
    const tokens = stored.map(({ id, product: of, fingerprint, issuedAt, issuedBy, usedAt }) => ({
      id,
      product: of,
      fingerprint,
      issuedAt,
      issuedBy,
      ...(usedAt !== undefined && { usedAt }),
    }));
    if (askedInstant.getStore()) return tokens;
    const { rows } = await this.pool.query<{ id: string; uses: string; at: Date | null }>(
      'select id, uses::text, used_at as at from app.mail_tokens where workspace = $1 and product = $2',
      [workspace, product],
    );
    const counted = new Map(rows.map((row) => [row.id, row]));
    return tokens.map((token) => {
      const { uses, at } = counted.get(token.id) ?? {};
      return { ...token, ...(at && { uses: Number(uses), usedAt: at.toISOString() }) };
    });
  }

  /**
   * Guesses by others from the same address never block a valid token.
   * @throws DomainError `unauthenticated`; `tooMany` after too many failures from one address
   */
  async ofToken(token: string, address: string): Promise<Sender> {
    return (await this.find('hash = $1', hashed(token))) ?? this.failures.refuse(address, refused(), DOOR);
  }

  /** The sender that a webhook claims to be, with the secret that proves it. @throws like `ofToken` */
  async ofId(id: string, address: string): Promise<{ sender: Sender; secret: string }> {
    const sender = isUuid(id) ? await this.find('id = $1', id) : undefined;
    const stored = sender && (await storedMailToken(this.pool, sender.workspace, sender.token));
    const ref = stored?.secretRef;
    const secret =
      ref === undefined || !sender ? undefined : await this.vault.get({ workspace: sender.workspace, ref });
    if (!sender || secret === undefined) return this.failures.refuse(address, refused(), DOOR);
    return { sender, secret };
  }

  /** @throws the refusal of a wrong signature, which counts as a guess */
  refuse(address: string, why: string): Promise<never> {
    return this.failures.refuse(address, new DomainError('unauthenticated', why), DOOR);
  }

  private async find(where: string, value: string): Promise<Sender | undefined> {
    const { rows } = await this.pool.query<Sender>(
      `select id as token, workspace, product from app.mail_tokens where ${where} and revoked_at is null`,
      [value],
    );
    return rows[0];
  }

  /**
   * Counts an e-mail. The row stays locked until the transaction ends.
   * @throws DomainError if the token was revoked meanwhile
   */
  async use({ token, workspace }: Sender, client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ uses: string; isFirst: boolean }>(
      `with known as (
         select id, used_at from app.mail_tokens where id = $1 and revoked_at is null for update)
       update app.mail_tokens t set uses = t.uses + 1, used_at = clock_timestamp() from known
       where t.id = known.id
       returning t.uses::text, (known.used_at is null or
         (known.used_at at time zone 'utc')::date < (clock_timestamp() at time zone 'utc')::date) as "isFirst"`,
      [token],
    );
    const [row] = rows;
    if (!row) throw refused();
    if (row.isFirst)
      await this.decisions.execute(
        mailTokenDecider,
        new RecordMailTokenUse(token, { count: Number(row.uses) }, ownMeta('system', workspace)),
      );
  }
}
