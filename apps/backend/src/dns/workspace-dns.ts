/** The DNS set-up of a workspace: its resolvers, and its provider for records. */
import { Inject, Injectable } from '@nestjs/common';
import type { EventData } from '@quarterdeck/events';
import type { OwnAddresses } from '@quarterdeck/projections';
import { Outbound } from '../platform/outbound';
import { CONFIG, VAULT, type Config, type Vault } from '../platform/tokens';
import { WorkspaceSettings } from '../workspaces';
import { hostToAsk, textAt, whyUnprovable, type TextAnswer } from './challenge';
import type { DnsProviderSettings } from './dns.settings';
import { bare, type LookUp } from './look-up';
import { LookUps } from './workspace-look-up';
import { providerOf } from './provider-of';
import type { DnsProvider } from './records';

export type DnsConfigured = EventData<'DnsConfigured'>;

/** The addresses of a name, of its server's host, and of the server itself. */
export interface Pointing {
  name: LookUp;
  host: LookUp;
  own?: OwnAddresses;
}

/** The provider of a workspace, and where it may add names. */
export interface RecordWriter {
  provider: DnsProvider;
  kind: DnsProviderSettings['kind'];
  zone: string;
  /** Default: the zone itself. */
  parent: string;
  /** TTL of new records, in seconds. */
  ttl: number;
}

const settingsOf = (provider: DnsConfigured['provider']): DnsProviderSettings => {
  switch (provider?.kind) {
    case undefined:
      return { kind: 'none' };
    case 'rfc2136': {
      const { secret, ...rest } = provider;
      return { ...rest, secretRef: secret.ref };
    }
    case 'digitalocean':
      return { kind: 'digitalocean', zone: provider.zone, tokenRef: provider.secret.ref };
  }
};

@Injectable()
export class WorkspaceDns {
  private readonly lookUps: LookUps;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly outbound: Outbound,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly settings: WorkspaceSettings,
  ) {
    this.lookUps = new LookUps(config.DNS_SERVERS ?? [], outbound);
  }

  /** @throws DomainError `invalid` if the host is neither a name nor an address. Everything else is an outcome. */
  async lookUp(hostname: string, workspace: string): Promise<LookUp> {
    const { resolvers } = await this.of(workspace);
    return this.lookUps.of(hostname, resolvers);
  }

  /** For a server's `host`: a name unknown to all resolvers is looked up as SSH would. */
  async hostAddresses(host: string, workspace: string): Promise<LookUp> {
    const { resolvers } = await this.of(workspace);
    return this.lookUps.hostAddresses(host, resolvers);
  }

  /** The two look-ups run at the same time. */
  async pointing(
    hostname: string,
    { host, addresses: own }: { host: string; addresses?: OwnAddresses },
    workspace: string,
  ): Promise<Pointing> {
    const { resolvers } = await this.of(workspace);
    const [name, hosts] = await Promise.all([
      this.lookUps.of(hostToAsk(hostname), resolvers),
      this.lookUps.hostAddresses(host, resolvers),
    ]);
    return { name, host: hosts, ...(own && { own }) };
  }

  /** @throws DomainError `unprocessable` if no provider is set up, or its secret is gone */
  async writer(workspace: string): Promise<RecordWriter> {
    const { provider: chosen, parent, ttl } = await this.of(workspace);
    const { outbound, vault, config } = this;
    const settings = settingsOf(chosen);
    const provider = await providerOf(settings, {
      workspace,
      vault,
      outbound,
      digitalOceanUrl: config.DIGITALOCEAN_API_URL,
    });
    const zone = settings.kind === 'none' ? '' : settings.zone;
    return { provider, kind: settings.kind, zone, parent: parent ?? zone, ttl };
  }

  /** Why the name cannot be proved in DNS, in words; undefined if it can. */
  async whyUnprovable(name: string, workspace: string): Promise<string | undefined> {
    return whyUnprovable(name, (await this.of(workspace)).provider);
  }

  /** The TXT records of a name, from each name server of the provider's zone. */
  async textAt(name: string, workspace: string): Promise<TextAnswer[]> {
    const { provider, resolvers } = await this.of(workspace);
    const { outbound, config } = this;
    const chosen = resolvers.filter((one) => outbound.refusal(bare(one)) === undefined);
    return textAt(name, {
      zone: provider?.zone ?? '',
      resolvers: chosen.length > 0 ? chosen : (config.DNS_SERVERS ?? []),
      outbound,
      ...(provider?.kind === 'rfc2136' && { primary: provider }),
    });
  }

  private of(workspace: string): Promise<DnsConfigured> {
    return this.settings.get('DnsConfigured', workspace);
  }
}
