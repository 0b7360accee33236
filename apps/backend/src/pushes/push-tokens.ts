/** The secrets with which a source host signs what it sends for a service. They are kept in the vault. */
import { Inject, Injectable } from '@nestjs/common';
import { service } from '@quarterdeck/events';
import type { Position } from '@quarterdeck/events';
import type { PushTokenView } from '@quarterdeck/projections';
import { validate as isUuid } from 'uuid';
import { AccessTokens } from '../platform/access-tokens';
import { transaction } from '../platform/database';
import type { Decision } from '../platform/decider';
import { DomainError } from '../platform/errors';
import { requireNamed } from '../platform/kit';
import { type CommandMeta, idFor, secretFor } from '../platform/sessions';
import { DB, VAULT, type Pool, type Vault } from '../platform/tokens';
import { fingerprintOf, orShred } from '../platform/vault';

/** While one is replaced there are two. Each call is checked against all. */
export const MAX_SECRETS = 5;

export interface Signer {
  id: string;
  secret: string;
}
export interface SignedService {
  service: string;
  workspace: string;
  signers: readonly Signer[];
}

@Injectable()
export class PushTokens {
  private readonly tokens;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
    tokens: AccessTokens,
  ) {
    this.tokens = tokens.of<'PushToken', PushTokenView, { service: string }>({
      stem: 'PushToken',
      category: 'pushtoken',
      name: 'push token',
      words: 'webhook secret',
      prefix: 'qd_push_',
      table: 'app.push_tokens',
      rows: 'read.push_tokens',
      owner: 'service',
      hidden: ['workspace', 'revision', 'position'],
      refusal: 'this address belongs to no service that has a webhook secret',
      afterRevocation: ({ secret: { ref } }, workspace) => vault.shred({ workspace, ref }),
    });
  }

  async issue(of: string, meta: CommandMeta): Promise<{ id: string; secret: string; position: Position }> {
    const { workspace } = meta;
    const { name } = await requireNamed(service, this.db, workspace, of);
    const ref = idFor('push secret', meta);
    await this.refuseMore(of, idFor('push token', meta), workspace);
    const secret = `qd_sign_${secretFor('push secret', meta, this.vault)}`;
    const fingerprint = fingerprintOf(secret);
    await this.vault.put({ workspace, ref }, secret, { kind: 'push-secret', fingerprint });
    // The token itself is shown to nobody: the source host signs, and sends no token.
    const { id, position } = await orShred(this.vault, workspace, [ref], () =>
      this.tokens.issue(of, meta, () => ({
        service: { id: of, name },
        fingerprint,
        secret: { ref, fingerprint },
      })),
    );
    return { id, secret, position };
  }

  revoke(id: string, meta: CommandMeta): Promise<Decision> {
    return this.tokens.revoke(id, meta);
  }

  revokeAll(of: string, meta: CommandMeta): Promise<Position | undefined> {
    return this.tokens.revokeAll([of], meta);
  }

  async list(of: string, workspace: string) {
    await requireNamed(service, this.db, workspace, of);
    return this.tokens.list(of, workspace);
  }

  /** What may have signed a call for a service; undefined if there is no such service, or it has no secret. */
  async signersOf(of: string): Promise<SignedService | undefined> {
    if (!isUuid(of)) return undefined;
    const { rows } = await this.db.query<{ id: string; workspace: string }>(
      `select id, workspace from app.push_tokens where service = $1 and revoked_at is null
       order by used_at desc nulls last, id limit ${MAX_SECRETS}`,
      [of],
    );
    const signers: Signer[] = [];
    for (const { id, workspace } of rows) {
      const issued = await this.tokens.issued(id, workspace);
      const secret = issued && (await this.vault.get({ workspace, ref: issued.secret.ref }));
      if (secret !== undefined) signers.push({ id, secret });
    }
    const [first] = rows;
    return first && signers.length > 0 ? { service: of, workspace: first.workspace, signers } : undefined;
  }

  /** @throws the refusal of an unknown service or a wrong signature, which counts as a guess */
  refuse(address: string, why?: string): Promise<never> {
    return this.tokens.refuse(address, why);
  }

  count(id: string): Promise<void> {
    return transaction(this.db, (client) => this.tokens.use(id, client));
  }

  private async refuseMore(of: string, id: string, workspace: string): Promise<void> {
    const { rows } = await this.db.query<{ others: number }>(
      `select count(*)::int as others from app.push_tokens
       where workspace = $1 and service = $2 and id <> $3 and revoked_at is null`,
      [workspace, of, id],
    );
    if ((rows[0]?.others ?? 0) >= MAX_SECRETS)
      throw new DomainError(
        'unprocessable',
        `a service has at most ${MAX_SECRETS} valid secrets: revoke one that the source host no longer uses`,
      );
  }
}
