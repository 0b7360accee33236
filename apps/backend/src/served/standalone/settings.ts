/** What the environment says to an API that is served without the console. */
import type { Dialect } from '@quarterdeck/data-model';
import type { OauthService } from '@quarterdeck/events';
import { isTrustedProxy } from '../../platform/caller-address';
import { isNetwork } from '../../platform/networks';
import type { DatabaseAccess } from '../child/connections';
import type { CallSettings } from '../child/service-calls';

export interface Settings {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Its certificates are still in files. */
  readonly database: Omit<DatabaseAccess, 'certificate' | 'identity' | 'address'>;
  readonly certificateFile?: string | undefined;
  readonly clientCertificateFile?: string | undefined;
  /** Programs that send it have the permission `app`. Undefined: none has. */
  readonly token?: string | undefined;
  readonly healthPath: string;
  readonly isTrustedProxy: (address: string) => boolean;
  /** Of the services that sign users in. */
  readonly secrets: Readonly<Record<OauthService, string | undefined>>;
  readonly calls: CallSettings;
}

/** Each variable, for people. None has a value here: a folder of an API has no secret. */
export const VARIABLES = {
  DATABASE_HOST: 'Name or address of the database server',
  DATABASE_PORT: 'Its port; default 5432 for PostgreSQL, 3306 for MySQL and MariaDB',
  DATABASE_NAME: 'Name of the database',
  DATABASE_USER: 'User of the database',
  DATABASE_PASSWORD: 'Their password',
  DATABASE_ENCRYPTION:
    'tls (default), or without TLS: scram (never sends the password itself) or none (however the server asks for it)',
  DATABASE_CERTIFICATE_FILE:
    'Path of a PEM file with the certificate of the database server; not needed if a public authority signed it',
  DATABASE_CLIENT_CERTIFICATE_FILE:
    'Path of a PEM file with a client certificate and its private key, for a database server that asks for one',
  API_TOKEN:
    'Token that programs send: 32 to 500 letters, digits and - . _ ~ + /; without it, none is accepted',
  HOST: 'Address on which to listen; default 127.0.0.1, in a container 0.0.0.0',
  PORT: 'Port on which to listen; default 3000',
  HEALTH_PATH: 'Path that answers whether the API is well; default /health',
  TRUSTED_PROXIES:
    'Proxies in front whose X-Forwarded-For is believed, such as 10.0.0.0/8,192.168.1.7,loopback; default none',
  GOOGLE_SECRET:
    'Client secret of google, with which users sign in; without it, nobody does. The same for the next ones',
  ZOHO_SECRET: 'Client secret of zoho',
  MICROSOFT_SECRET: 'Client secret of microsoft',
  GITHUB_SECRET: 'Client secret of github',
  APPLE_SECRET: 'Text of the .p8 file of apple, in one line',
  SWISSID_SECRET: 'Client secret of swissid',
  SIGN_IN_GATEWAY:
    'Address through which these services are asked, such as https://gateway.example.org; default: directly',
} as const;
type Name = keyof typeof VARIABLES;

const PROTECTION = { tls: 'authorities', scram: 'scram', none: 'none' } as const;
/** What a header can carry. */
const TOKEN = /^[\w.~+/-]{32,500}$/;

/** @returns the settings, or a sentence for each variable that is wrong */
export const settingsIn = (
  env: Readonly<Record<string, string | undefined>>,
  dialect: Dialect,
): { settings: Settings; problems?: never } | { problems: string[]; settings?: never } => {
  const problems: string[] = [];
  const text = (name: Name, absent?: string): string => {
    const value = env[name]?.trim() ?? '';
    if (value !== '') return value;
    if (absent === undefined) problems.push(`${name} is missing`);
    return absent ?? '';
  };
  const port = (name: Name, absent: number, least = 1): number => {
    const value = text(name, String(absent));
    const number = /^\d{1,5}$/.test(value) ? Number(value) : -1;
    if (number < least || number > 65_535) problems.push(`${name} has to be a number from ${least} to 65535`);
    return number;
  };
  const encryption = text('DATABASE_ENCRYPTION', 'tls');
  if (!Object.hasOwn(PROTECTION, encryption))
    problems.push('DATABASE_ENCRYPTION has to be tls, scram or none');
  const token = text('API_TOKEN', '');
  if (token !== '' && !TOKEN.test(token))
    problems.push('API_TOKEN has to be 32 to 500 letters, digits and - . _ ~ + /');
  const healthPath = text('HEALTH_PATH', '/health');
  if (!/^\/[\w.~/-]{0,199}$/.test(healthPath)) problems.push('HEALTH_PATH has to be a path such as /health');
  const proxies = text('TRUSTED_PROXIES', '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (!proxies.every((one) => one === 'loopback' || (isNetwork(one) && !one.endsWith('/0'))))
    problems.push('TRUSTED_PROXIES has to be a list such as 10.0.0.0/8,192.168.1.7,loopback');
  const gateway = text('SIGN_IN_GATEWAY', '') || undefined;
  if (gateway !== undefined && !(URL.canParse(gateway) && /^https?:$/.test(new URL(gateway).protocol)))
    problems.push('SIGN_IN_GATEWAY has to be an address such as https://gateway.example.org');
  const settings: Settings = {
    host: text('HOST', '127.0.0.1'),
    port: port('PORT', 3000, 0),
    database: {
      dialect,
      host: text('DATABASE_HOST'),
      port: port('DATABASE_PORT', dialect === 'mysql' ? 3306 : 5432),
      database: text('DATABASE_NAME'),
      user: text('DATABASE_USER'),
      // Not trimmed: a space may belong to it.
      password: env['DATABASE_PASSWORD'] ?? '',
      protection: PROTECTION[encryption as keyof typeof PROTECTION],
    },
    certificateFile: text('DATABASE_CERTIFICATE_FILE', '') || undefined,
    clientCertificateFile: text('DATABASE_CLIENT_CERTIFICATE_FILE', '') || undefined,
    token: token || undefined,
    healthPath,
    secrets: {
      google: text('GOOGLE_SECRET', '') || undefined,
      zoho: text('ZOHO_SECRET', '') || undefined,
      microsoft: text('MICROSOFT_SECRET', '') || undefined,
      github: text('GITHUB_SECRET', '') || undefined,
      apple: text('APPLE_SECRET', '') || undefined,
      swissid: text('SWISSID_SECRET', '') || undefined,
    },
    calls: { allow: [], gateway },
    isTrustedProxy: isTrustedProxy({ TRUSTED_PROXIES: problems.length > 0 ? [] : proxies }),
  };
  return problems.length > 0 ? { problems } : { settings };
};
