/**
 * Tokens with which products send e-mails in. The secret that signs webhooks is kept in the vault, because checking a
 * signature needs the secret itself.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import type { MailTokenView } from '@quarterdeck/projections';
import type { PoolClient } from 'pg';
import { validate as isUuid } from 'uuid';
import { AccessTokens } from '../platform/access-tokens';
import type { Decision } from '../platform/decider';
import { type CommandMeta, idFor, secretFor } from '../platform/sessions';
import { VAULT, type Vault } from '../platform/tokens';
import { fingerprintOf, orShred } from '../platform/vault';

/** A token, and the product that it belongs to. */
export interface Sender {
  id: string;
  workspace: string;
  product: string;
}

@Injectable()
export class MailTokens {
  private readonly tokens;

  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    tokens: AccessTokens,
  ) {
    this.tokens = tokens.of<'MailToken', MailTokenView, { product: string }>({
      stem: 'MailToken',
      category: 'mailtoken',
      name: 'mail token',
      words: 'mail token',
      prefix: 'qd_mail_',
      table: 'app.mail_tokens',
      rows: 'read.mail_tokens',
      owner: 'product',
      hidden: ['workspace', 'secretRef', 'revision', 'position'],
      refusal: 'this token is not valid',
      afterRevocation: ({ secret: { ref } }, workspace) => vault.shred({ workspace, ref }),
    });
  }

  async issue(
    product: { id: string; name: string },
    meta: CommandMeta,
  ): Promise<{ id: string; token: string; secret: string; position: Position }> {
    const { workspace } = meta;
    const ref = idFor('mail secret', meta);
    const secret = `qd_sign_${secretFor('mail secret', meta, this.vault)}`;
    const signing = { ref, fingerprint: fingerprintOf(secret) };
    await this.vault.put({ workspace, ref }, secret, {
      kind: 'mail-secret',
      fingerprint: signing.fingerprint,
    });
    const { id, token, position } = await orShred(this.vault, workspace, [ref], () =>
      this.tokens.issue(product.id, meta, (fingerprint) => ({ product, fingerprint, secret: signing })),
    );
    return { id, token, secret, position };
  }

  revoke(id: string, meta: CommandMeta): Promise<Decision> {
    return this.tokens.revoke(id, meta);
  }

  revokeAll(product: string, meta: CommandMeta): Promise<Position | undefined> {
    return this.tokens.revokeAll([product], meta);
  }

  list(product: string, workspace: string) {
    return this.tokens.list(product, workspace);
  }

  /** @throws DomainError `unauthenticated`; `tooMany` after too many failures from one address */
  ofToken(token: string, address: string): Promise<Sender> {
    return this.tokens.read(token, address);
  }

  /** The sender that a webhook claims to be, with the secret that proves it. @throws like `ofToken` */
  async ofId(id: string, address: string): Promise<{ sender: Sender; secret: string }> {
    const sender = isUuid(id) ? await this.tokens.find({ id }) : undefined;
    const issued = sender && (await this.tokens.issued(id, sender.workspace));
    const secret = issued && (await this.vault.get({ workspace: sender.workspace, ref: issued.secret.ref }));
    if (!sender || secret === undefined) return this.tokens.refuse(address);
    return { sender, secret };
  }

  /** @throws the refusal of a wrong signature, which counts as a guess */
  refuse(address: string, why: string): Promise<never> {
    return this.tokens.refuse(address, why);
  }

  /** Counts an e-mail. @throws DomainError if the token was revoked meanwhile */
  use({ id }: Sender, client: PoolClient): Promise<void> {
    return this.tokens.use(id, client);
  }
}
