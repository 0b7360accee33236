/**
 * Tokens with which webhooks start instances of a workflow. The secret that signs calls is kept in the vault, because
 * checking a signature needs the secret itself.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import type { WorkflowTokenView } from '@quarterdeck/projections';
import { AccessTokens } from '../platform/access-tokens';
import { transaction } from '../platform/database';
import type { Decision } from '../platform/decider';
import { notFound } from '../platform/errors';
import { type CommandMeta, idFor, secretFor } from '../platform/sessions';
import { DB, VAULT, type Pool, type Vault } from '../platform/tokens';
import { fingerprintOf, orShred } from '../platform/vault';
import { triggerOf } from './trigger-view';

export interface Caller {
  /** Of the token. */
  id: string;
  workspace: string;
  trigger: string;
}

@Injectable()
export class WorkflowTokens {
  private readonly tokens;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
    tokens: AccessTokens,
  ) {
    this.tokens = tokens.of<'WorkflowToken', WorkflowTokenView, { trigger: string }>({
      stem: 'WorkflowToken',
      category: 'workflowtoken',
      name: 'workflow token',
      words: 'workflow token',
      prefix: 'qd_flow_',
      table: 'app.workflow_tokens',
      rows: 'read.workflow_tokens',
      owner: 'trigger',
      hidden: ['workspace', 'revision', 'position'],
      refusal: 'a token of the trigger is needed: Authorization: Bearer qd_flow_…',
      afterRevocation: ({ secret: { ref } }, workspace) => vault.shred({ workspace, ref }),
    });
  }

  async issue(
    of: string,
    meta: CommandMeta,
  ): Promise<{ id: string; token: string; secret: string; position: Position }> {
    const { workspace } = meta;
    const { name } = await this.triggerOf(of, workspace);
    const ref = idFor('workflow secret', meta);
    const secret = `qd_sign_${secretFor('workflow secret', meta, this.vault)}`;
    const fingerprint = fingerprintOf(secret);
    await this.vault.put({ workspace, ref }, secret, { kind: 'workflow-secret', fingerprint });
    const { id, token, position } = await orShred(this.vault, workspace, [ref], () =>
      this.tokens.issue(of, meta, (ofToken) => ({
        trigger: { id: of, name },
        fingerprint: ofToken,
        secret: { ref, fingerprint },
      })),
    );
    return { id, token, secret, position };
  }

  revoke(id: string, meta: CommandMeta): Promise<Decision> {
    return this.tokens.revoke(id, meta);
  }

  revokeAll(of: string, meta: CommandMeta): Promise<Position | undefined> {
    return this.tokens.revokeAll([of], meta);
  }

  async list(of: string, workspace: string) {
    await this.triggerOf(of, workspace);
    return this.tokens.list(of, workspace);
  }

  /** @throws DomainError `unauthenticated`; `tooMany` after too many failures from one address */
  read(token: string, address: string): Promise<Caller> {
    return this.tokens.read(token, address);
  }

  /** @throws the refusal, which counts as a guess of the address */
  refuse(address: string, why?: string): Promise<never> {
    return this.tokens.refuse(address, why);
  }

  /** The secret that signs what comes with this token. */
  async secretOf({ id, workspace }: Caller): Promise<string | undefined> {
    const issued = await this.tokens.issued(id, workspace);
    return issued && this.vault.get({ workspace, ref: issued.secret.ref });
  }

  count({ id }: Caller): Promise<void> {
    return transaction(this.db, (client) => this.tokens.use(id, client));
  }

  /** @throws DomainError `notFound` */
  private async triggerOf(id: string, workspace: string): Promise<{ name: string }> {
    const found = await triggerOf(this.db, workspace, id);
    if (!found) throw notFound('workflow trigger');
    return found;
  }
}
