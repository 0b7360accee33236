/** The token of a workspace at its cloud provider: connecting, refreshing, revoking, and calls made with it. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { Outbound } from '../platform/outbound';
import { type CommandMeta, idFor, ownMeta } from '../platform/sessions';
import { CONFIG, VAULT, type Config, type Vault } from '../platform/tokens';
import { fingerprintOf, orShred } from '../platform/vault';
import {
  cloudAccountDecider,
  ConnectCloud,
  type Connected,
  DisconnectCloud,
  RecordTokenAcceptance,
  RecordTokenRefusal,
} from './cloud-account.decider';
import { cloudAccountId, CloudTokens, KIND } from './cloud-tokens';
import { digitalOcean } from './digitalocean-provider';
import { type Granted, type OAuthClient, revokeToken } from './digitalocean-oauth';
import type { CloudProvider, Limits } from './provider';

export interface CallManner {
  signal?: AbortSignal;
  /** A call fails if the provider asks for a longer pause. */
  waitSeconds?: number;
  onLimits?(limits: Limits): void;
}

/** A token is refreshed so long before it expires. */
const EARLY_MS = 3_600_000;

export const noToken = (): DomainError =>
  new DomainError(
    'unprocessable',
    'this workspace is not connected to DigitalOcean: sign in there, or enter a personal token',
    undefined,
    { code: 'noToken' },
  );

@Injectable()
export class CloudAccounts {
  /** Tests shorten them. */
  readonly patience = { callMs: 15_000 };

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly outbound: Outbound,
    private readonly tokens: CloudTokens,
  ) {}

  /** Set up by the environment; undefined if it is not. */
  get client(): OAuthClient | undefined {
    const { DIGITALOCEAN_CLIENT_ID: clientId, DIGITALOCEAN_CLIENT_SECRET: clientSecret } = this.config;
    if (!clientId || !clientSecret) return undefined;
    return { url: this.config.DIGITALOCEAN_URL, clientId, clientSecret, outbound: this.outbound };
  }

  async connected(workspace: string): Promise<Connected | undefined> {
    return (await this.state(workspace)).connected;
  }

  /** Checks the token at the provider before it is stored. @throws DomainError on `token` */
  async connect(granted: Granted, by: Connected['by'], meta: CommandMeta): Promise<Decision> {
    const { workspace } = meta;
    const team = await this.teamOf(granted.token, by);
    const [ref, refresh] = [idFor('cloud-token', meta), idFor('cloud-refresh-token', meta)];
    const fingerprint = fingerprintOf(granted.token);
    if (granted.refresh !== undefined)
      await this.vault.put({ workspace, ref: refresh }, granted.refresh, { kind: KIND });
    await this.vault.put({ workspace, ref }, granted.token, { kind: KIND, fingerprint });
    const { scopes, expiresInS } = granted;
    const data = {
      cloud: 'digitalocean' as const,
      by,
      secret: { ref, fingerprint },
      ...(granted.refresh !== undefined && { refresh: { ref: refresh } }),
      ...(scopes && { scopes }),
      ...(expiresInS && { expiresAt: new Date(Date.parse(meta.at) + expiresInS * 1000).toISOString() }),
      ...team,
    };
    const decision = await orShred(this.vault, workspace, [ref, refresh], () =>
      this.commands.execute(new ConnectCloud(cloudAccountId(workspace), data, meta)),
    );
    await this.tokens.shredGone(workspace);
    return decision;
  }

  /** A token by OAuth is revoked at the provider. A personal one belongs to a person, who may use it elsewhere. */
  async disconnect(
    meta: CommandMeta,
  ): Promise<{ revoked: boolean; reason?: string; position: Decision['position'] }> {
    const { workspace } = meta;
    const { connected } = await this.state(workspace);
    if (!connected) throw noToken();
    const reason = await this.revoke(connected, workspace);
    const done = { revoked: reason === undefined, ...(reason !== undefined && { reason }) };
    const data = { cloud: connected.cloud, ...done };
    const { position } = await this.commands.execute(
      new DisconnectCloud(cloudAccountId(workspace), data, meta),
    );
    await this.tokens.shredGone(workspace);
    return { ...done, position };
  }

  /**
   * The provider, with the workspace's token. It is asked first about a token that it has refused.
   *
   * @throws DomainError `noToken`, and `upstream` if it refuses the token once more
   */
  async provider(workspace: string, manner: CallManner = {}): Promise<CloudProvider> {
    const { connected } = await this.state(workspace);
    if (!connected) throw noToken();
    let used = connected.secret.ref;
    const isOld =
      connected.expiresAt !== undefined && Date.parse(connected.expiresAt) - EARLY_MS < Date.now();
    const fresh =
      isOld && connected.refresh ? await this.tokens.refreshed(workspace, used, this.client) : undefined;
    if (fresh) used = fresh.ref;
    const token = fresh?.token ?? (await this.vault.get({ workspace, ref: used }));
    if (token === undefined) throw noToken();
    const at = {
      url: this.config.DIGITALOCEAN_API_URL,
      outbound: this.outbound,
      timeoutMs: this.patience.callMs,
      ...manner,
    };
    const provider = digitalOcean(token, {
      ...at,
      renew: async () => {
        const renewed = await this.tokens.refreshed(workspace, used, this.client);
        if (renewed) return renewed.token;
        // The provider may have refused one call by mistake.
        if (await isAccepted(digitalOcean(token, at))) return token;
        await this.refused(workspace, used);
        return undefined;
      },
    });
    if (connected.refused !== undefined) {
      await provider.account();
      await this.acceptedAgain(workspace, used);
    }
    return provider;
  }

  private async acceptedAgain(workspace: string, ref: string): Promise<void> {
    const meta = ownMeta('system', workspace);
    await this.commands.execute(new RecordTokenAcceptance(cloudAccountId(workspace), { ref }, meta));
  }

  private async refused(workspace: string, ref: string): Promise<void> {
    const reason = 'DigitalOcean does not accept the token: connect the account again';
    const meta = ownMeta('system', workspace);
    await this.commands.execute(new RecordTokenRefusal(cloudAccountId(workspace), { ref, reason }, meta));
  }

  private async teamOf(token: string, by: Connected['by']): Promise<{ team?: string }> {
    const { DIGITALOCEAN_API_URL: url } = this.config;
    try {
      const { outbound, patience } = this;
      return await digitalOcean(token, { url, outbound, timeoutMs: patience.callMs }).account();
    } catch (error) {
      if (!(error instanceof DomainError) || error.detail.code !== 'UNAUTHORIZED' || by === 'oauth')
        throw error;
      const msg = 'DigitalOcean does not accept this token: copy the whole of it, or make another one';
      throw new DomainError('invalid', msg, { token: msg });
    }
  }

  /** @returns why the token is still valid at the provider; undefined if it is not */
  private async revoke({ by, secret }: Connected, workspace: string): Promise<string | undefined> {
    if (by === 'token') return 'it is a personal token: delete it at DigitalOcean if nobody else uses it';
    const token = await this.vault.get({ workspace, ref: secret.ref });
    if (token === undefined) return 'the token no longer exists here';
    try {
      await revokeToken({ url: this.config.DIGITALOCEAN_URL, outbound: this.outbound }, token);
      return undefined;
    } catch (error) {
      if (error instanceof DomainError) return error.msg;
      throw error;
    }
  }

  private async state(workspace: string) {
    return (await this.decisions.load(cloudAccountDecider, cloudAccountId(workspace), workspace)).state;
  }
}

/** @throws DomainError if the provider says neither */
const isAccepted = async (provider: CloudProvider): Promise<boolean> => {
  try {
    await provider.account();
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.detail.code === 'UNAUTHORIZED') return false;
    throw error;
  }
};
