/** The provider that a workspace has set up, with its secret from the vault. */
import { DomainError } from '../platform/errors';
import type { Outbound } from '../platform/outbound';
import type { Vault } from '../platform/vault';
import { DigitalOcean } from './digitalocean';
import type { DnsProviderSettings } from './dns.settings';
import type { DnsProvider } from './records';
import { Rfc2136 } from './rfc2136';

export interface ProviderGround {
  vault: Pick<Vault, 'get'>;
  workspace: string;
  outbound: Outbound;
  /** DIGITALOCEAN_API_URL */
  digitalOceanUrl: string;
}

const secretOf = async ({ vault, workspace }: ProviderGround, ref: string, what: string): Promise<string> => {
  const secret = await vault.get({ workspace, ref });
  if (secret !== undefined) return secret;
  const msg = `${what} of the DNS provider no longer exists: enter it again in the workspace’s settings`;
  throw new DomainError('unprocessable', msg, undefined, { code: 'dns-secret-missing' });
};

/**
 * @throws DomainError `unprocessable` if no provider is set up (`dns-not-set-up`) or its secret is gone
 * (`dns-secret-missing`), `invalid` if the settings are unusable
 */
export const providerOf = async (
  settings: DnsProviderSettings,
  ground: ProviderGround,
): Promise<DnsProvider> => {
  const { outbound, digitalOceanUrl: url } = ground;
  switch (settings.kind) {
    case 'rfc2136':
      return new Rfc2136(settings, await secretOf(ground, settings.secretRef, 'the key'), outbound);
    case 'digitalocean': {
      const token = await secretOf(ground, settings.tokenRef, 'the token');
      return new DigitalOcean(settings.zone, token, { url, outbound });
    }
    case 'none': {
      const msg = 'no DNS provider is set up: an administrator can choose one in the workspace’s settings';
      throw new DomainError('unprocessable', msg, undefined, { code: 'dns-not-set-up' });
    }
  }
};
