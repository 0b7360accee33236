/** Stored credentials for the source-code host, and their validity there. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CredentialKey } from '@quarterdeck/events';
import type { CredentialsView, CredentialValue, TokenValidity } from '@quarterdeck/projections';
import { written, type Written } from '../platform/http';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { type CommandMeta, idFor, type Session } from '../platform/sessions';
import { CONFIG, DB, VAULT } from '../platform/tokens';
import type { Config, Pool, Vault } from '../platform/tokens';
import { fingerprintOf, orShred } from '../platform/vault';
import { credentialsDecider, RemoveCredential, StoreCredential, type Secret } from './credentials.decider';
import { TokenChecks } from './token-checks';
import { validityOf } from './token-validity';

const MASK = '*******';

@Injectable()
export class Credentials {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly checks: TokenChecks,
  ) {}

  async get(key: CredentialKey, { person, workspace }: Session): Promise<CredentialValue> {
    const stored = (await this.view(person, workspace))?.values[key];
    if (!stored) return { value: '' };
    const { secret, storedAt } = stored;
    if (key === 'gh-username')
      return { value: (await this.vault.get({ workspace, ref: secret.ref })) ?? '', storedAt };
    return { value: MASK, storedAt, ...(secret.fingerprint && { fingerprint: secret.fingerprint }) };
  }

  async set(key: CredentialKey, value: string, meta: CommandMeta): Promise<Written<Record<string, never>>> {
    const { workspace, actor: person } = meta;
    const before = await this.stored(key, person, workspace);
    const isSame = before && (await this.vault.get({ workspace, ref: before.ref })) === value;
    const secret = isSame ? before : await this.keep(key, value, meta);
    const answer = await orShred(this.vault, workspace, isSame ? [] : [secret.ref], () =>
      this.commands.execute(new StoreCredential(person, { key, secret }, meta)),
    );
    await this.shredGone(person, workspace);
    return written({}, answer.position);
  }

  /** @param person the owner, who is also the actor, unless an administrator removes a member */
  async remove(
    key: CredentialKey,
    meta: CommandMeta,
    person = meta.actor,
  ): Promise<Written<Record<string, never>>> {
    const { workspace } = meta;
    const { position } = await this.commands.execute(new RemoveCredential(person, { key }, meta));
    await this.shredGone(person, workspace);
    return written({}, position);
  }

  /** @param meta of whoever removes the member */
  async removeAllOf(person: string, meta: CommandMeta): Promise<void> {
    for (const key of ['gh-username', 'gh-token'] as const) await this.remove(key, meta, person);
  }

  async validity({ person, workspace }: Session): Promise<TokenValidity> {
    const values = (await this.view(person, workspace))?.values ?? {};
    const token = values['gh-token'];
    const check = token && (await this.checks.look({ workspace, ref: token.secret.ref }));
    const known = { username: values['gh-username'] !== undefined, token: token !== undefined, ...check };
    return validityOf(known, `${this.config.GITHUB_URL.replace(/\/+$/, '')}/settings/tokens`, new Date());
  }

  /** For the back end's own use. @returns undefined if no token is stored */
  async opened(person: string, workspace: string): Promise<{ user: string; token: string } | undefined> {
    const of = async (key: CredentialKey): Promise<string | undefined> => {
      const stored = await this.stored(key, person, workspace);
      return stored && this.vault.get({ workspace, ref: stored.ref });
    };
    const token = await of('gh-token');
    // A registry requires a user name in addition to a token, but accepts any name.
    return token === undefined ? undefined : { user: (await of('gh-username')) ?? 'token', token };
  }

  private async view(person: string, workspace: string): Promise<CredentialsView | undefined> {
    const { rows } = await this.db.query<{ view: CredentialsView }>(
      'select view from read.credentials where workspace = $1 and id = $2',
      [workspace, person],
    );
    return rows[0]?.view;
  }

  private async stored(key: CredentialKey, person: string, workspace: string): Promise<Secret | undefined> {
    return (await this.decisions.load(credentialsDecider, person, workspace)).state.stored[key];
  }

  private async keep(key: CredentialKey, value: string, meta: CommandMeta): Promise<Secret> {
    const ref = idFor(key, meta);
    const fingerprint = key === 'gh-token' ? { fingerprint: fingerprintOf(value) } : {};
    await this.vault.put({ workspace: meta.workspace, ref }, value, { kind: key, ...fingerprint });
    return { ref, ...fingerprint };
  }

  /** The token itself, for calls in its owner's name. @throws DomainError if the person has stored none */
  async token({ actor, workspace }: Pick<CommandMeta, 'actor' | 'workspace'>): Promise<string> {
    const stored = await this.stored('gh-token', actor, workspace);
    const token = stored && (await this.vault.get({ workspace, ref: stored.ref }));
    if (token === undefined)
      throw new DomainError(
        'unprocessable',
        'No GitHub token is stored: store one in your profile settings',
        undefined,
        {
          code: 'noToken',
        },
      );
    return token;
  }

  /**
   * Reads the log, so that it also destroys secrets left behind by a process that died or lost a race during a change.
   */
  private async shredGone(person: string, workspace: string): Promise<void> {
    const { state } = await this.decisions.load(credentialsDecider, person, workspace);
    for (const ref of state.gone) {
      await this.vault.shred({ workspace, ref });
      await this.checks.forget({ workspace, ref });
    }
  }
}
