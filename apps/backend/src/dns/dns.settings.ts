/** Providers that write records for a workspace. Plain data; secrets are references to the vault. */

export type TsigAlgorithm = 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';

export interface Rfc2136Settings {
  kind: 'rfc2136';
  /** The primary name server: a name or an address. */
  server: string;
  port: number;
  /** The zone that may be changed, such as `example.org`. */
  zone: string;
  /** Name of the TSIG key. Its secret, in base64 as printed by `tsig-keygen`, is in the vault. */
  keyName: string;
  algorithm: TsigAlgorithm;
  secretRef: string;
}

export interface DigitalOceanSettings {
  kind: 'digitalocean';
  /** The domain in the account, such as `example.org`. */
  zone: string;
  /** Vault reference of a personal access token with write access to domains. */
  tokenRef: string;
}

export type DnsProviderSettings = Rfc2136Settings | DigitalOceanSettings | { kind: 'none' };
