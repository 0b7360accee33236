import { DomainError } from '../platform/errors';
import { Outbound } from '../platform/outbound/outbound';
import { DigitalOcean } from './digitalocean';
import type { DnsProviderSettings } from './dns.settings';
import { providerOf } from './provider-of';
import { Rfc2136 } from './rfc2136';

const secrets: Record<string, string> = { 'acme/key': 'c2VjcmV0c2VjcmV0', 'acme/token': 'dop_v1_x' };
const ground = {
  vault: {
    get: ({ workspace, ref }: { workspace: string; ref: string }) =>
      Promise.resolve(secrets[`${workspace}/${ref}`]),
  },
  workspace: 'acme',
  outbound: new Outbound(),
  digitalOceanUrl: 'https://api.digitalocean.com',
};
const own: DnsProviderSettings = {
  kind: 'rfc2136',
  server: 'ns.example.org',
  port: 53,
  zone: 'example.org',
  keyName: 'quarterdeck',
  algorithm: 'hmac-sha256',
  secretRef: 'key',
};

describe('the provider of a workspace', () => {
  it('is the one that it has set up', async () => {
    expect(await providerOf(own, ground)).toBeInstanceOf(Rfc2136);
    const cloud: DnsProviderSettings = { kind: 'digitalocean', zone: 'example.org', tokenRef: 'token' };
    expect(await providerOf(cloud, ground)).toBeInstanceOf(DigitalOcean);
  });

  it.each<[string, DnsProviderSettings, string, string]>([
    ['none is set up', { kind: 'none' }, 'acme', 'dns-not-set-up'],
    ['the secret is gone', { ...own, secretRef: 'gone' }, 'acme', 'dns-secret-missing'],
    ['the secret is another workspace’s', own, 'other', 'dns-secret-missing'],
  ])('says so when %s', async (_what, settings, workspace, code) => {
    const error: unknown = await providerOf(settings, { ...ground, workspace }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'unprocessable', detail: { code } });
  });
});
