/**
 * Refreshes tokens. A refresh token works once, so one process does it at a time, and what it got is in the vault before
 * anything else happens. The references of the new tokens follow from the old one: after a crash in between, the next
 * process finds them there instead of asking with a used token.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { v5 as uuidv5 } from 'uuid';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { VAULT, type Vault } from '../platform/tokens';
import { fingerprintOf } from '../platform/vault';
import { cloudAccountDecider, type Connected, RecordTokenRefresh } from './cloud-account.decider';
import { refreshToken, type OAuthClient } from './digitalocean-oauth';

export interface UsableToken {
  ref: string;
  token: string;
}

/** In the vault. */
export const KIND = 'digitalocean-token';
const LOOK_AGAIN_MS = 150;
/** Longer than a refresh takes, which has a deadline. */
const PATIENCE_MS = 20_000;

/** A workspace has one account at the provider. */
export const cloudAccountId = (workspace: string): string => uuidv5('digitalocean', workspace);
const nextTo = (ref: string, what: 'token' | 'refresh'): string => uuidv5(`${what} after ${ref}`, ref);

@Injectable()
export class CloudTokens {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly leases: Leases,
  ) {}

  /**
   * A token in place of the one that was used; undefined if there is none, because the provider refuses to refresh it, or
   * it cannot be refreshed.
   */
  async refreshed(
    workspace: string,
    used: string,
    client: OAuthClient | undefined,
  ): Promise<UsableToken | undefined> {
    const lease = `cloud-token-${workspace}`;
    for (const began = performance.now(); ; await sleep(LOOK_AGAIN_MS)) {
      const connected = await this.connected(workspace);
      if (!connected) return undefined;
      if (connected.secret.ref !== used) return this.stored(workspace, connected.secret.ref);
      if (!connected.refresh || !client || connected.refused !== undefined) return undefined;
      if (await this.leases.take(lease)) break;
      if (performance.now() - began > PATIENCE_MS)
        throw new DomainError('unavailable', 'the token is being refreshed: try again', undefined, {
          retryAfter: 5,
        });
    }
    try {
      // Another process may have had the lease in between.
      const connected = await this.connected(workspace);
      if (!connected?.refresh) return undefined;
      if (connected.secret.ref !== used) return await this.stored(workspace, connected.secret.ref);
      return await this.exchange(workspace, connected, connected.refresh.ref, client);
    } finally {
      await this.leases.release(lease);
    }
  }

  /** Reads the log, so that it also destroys tokens left behind by a process that died. */
  async shredGone(workspace: string): Promise<void> {
    const { state } = await this.decisions.load(cloudAccountDecider, cloudAccountId(workspace), workspace);
    for (const ref of state.gone) await this.vault.shred({ workspace, ref });
  }

  private async exchange(
    workspace: string,
    { secret, scopes }: Connected,
    refreshRef: string,
    client: OAuthClient,
  ): Promise<UsableToken | undefined> {
    const [ref, nextRefresh] = [nextTo(secret.ref, 'token'), nextTo(secret.ref, 'refresh')];
    const before = await this.stored(workspace, ref);
    if (before) {
      const found = { refresh: { ref: nextRefresh }, ...(scopes && { scopes }) };
      return this.record(workspace, secret.ref, before, found);
    }
    // A process that died in between may have stored no more than the next one. Then the present one is used up.
    const refresh =
      (await this.vault.get({ workspace, ref: nextRefresh })) ??
      (await this.vault.get({ workspace, ref: refreshRef }));
    if (refresh === undefined) return undefined;
    try {
      const granted = await refreshToken(client, refresh);
      // The one without which nothing can be asked again comes first.
      if (granted.refresh !== undefined)
        await this.vault.put({ workspace, ref: nextRefresh }, granted.refresh, { kind: KIND });
      const fingerprint = fingerprintOf(granted.token);
      await this.vault.put({ workspace, ref }, granted.token, { kind: KIND, fingerprint });
      return await this.record(
        workspace,
        secret.ref,
        { ref, token: granted.token },
        {
          ...(granted.refresh !== undefined && { refresh: { ref: nextRefresh } }),
          ...(granted.scopes && { scopes: granted.scopes }),
          ...(granted.expiresInS && {
            expiresAt: new Date(Date.now() + granted.expiresInS * 1000).toISOString(),
          }),
        },
      );
    } catch (error) {
      if (error instanceof DomainError && error.detail.code === 'UNAUTHORIZED') return undefined;
      throw error;
    }
  }

  private async record(
    workspace: string,
    replaces: string,
    { ref, token }: UsableToken,
    more: Partial<Pick<Connected, 'refresh' | 'scopes' | 'expiresAt'>>,
  ): Promise<UsableToken> {
    const data = { replaces, secret: { ref, fingerprint: fingerprintOf(token) }, ...more };
    const meta = ownMeta('system', workspace);
    await this.commands.execute(new RecordTokenRefresh(cloudAccountId(workspace), data, meta));
    await this.shredGone(workspace);
    return { ref, token };
  }

  private async stored(workspace: string, ref: string): Promise<UsableToken | undefined> {
    const token = await this.vault.get({ workspace, ref });
    return token === undefined ? undefined : { ref, token };
  }

  private async connected(workspace: string): Promise<Connected | undefined> {
    return (await this.decisions.load(cloudAccountDecider, cloudAccountId(workspace), workspace)).state
      .connected;
  }
}
