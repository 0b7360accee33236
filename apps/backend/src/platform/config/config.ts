/** Validates the environment of the process once at the start. All wrong variables are reported together. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { logAddress, UnusableLogAddress } from '@quarterdeck/log/store';
import { z } from 'zod';
import { parseSignUp, signUpProblem } from './sign-up';
import { shownValue } from './address';
import { WRONG_ENVIRONMENT } from '../start-problem';
import { isMasterKey } from '../master-key';
import { isNetwork } from '../networks';

const url = (protocols: string[], example: string) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `is not a URL such as ${example}`,
  });
const web = (example: string) => url(['http:', 'https:'], example);
const credential = z.string().min(1);

const address = (value: string): boolean => isNetwork(value) || /^[a-z0-9.-]+$/i.test(value);
const proxy = (value: string): boolean => isNetwork(value) || value === 'loopback' || value === 'none';

const listOf = (good: (entry: string) => boolean, example: string) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .refine((entries) => entries.every(good), { error: `is not a list such as ${example}` });

const problemOfLog = (value: string): string | undefined => {
  try {
    logAddress(value);
    return undefined;
  } catch (error) {
    if (error instanceof UnusableLogAddress) return `${error.wrong}; ${error.remedy}`;
    throw error;
  }
};

/** What `DATABASE_PASSWORD_FILE` contains becomes the password in `DATABASE_URL`. */
const withPasswordFrom = (file: string, address: string): string => {
  const url = new URL(address);
  url.password = encodeURIComponent(readFileSync(file, 'utf8').trim());
  return url.href;
};

const port = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'is not a port between 0 and 65535' })
  .transform(Number)
  .refine((number) => number <= 65_535, { error: 'is not a port between 0 and 65535' });

const environment = z.object({
  PORT: port.default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./.data')
    .transform((dir) => resolve(dir)),
  DATABASE_URL: url(
    ['postgres:', 'postgresql:'],
    'postgres://user:password@127.0.0.1:5432/quarterdeck',
  ).optional(),
  /** A file with the password for `DATABASE_URL`, such as a secret of a container. */
  DATABASE_PASSWORD_FILE: z.string().optional(),
  EVENT_STORE_URL: z
    .string()
    .superRefine((value, context) => {
      const message = problemOfLog(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .optional(),
  /**
   * Prefix of our stream names in EventStoreDB. Its only dot is at the end, so no prefix can be the beginning of
   * another one.
   */
  EVENT_STORE_PREFIX: z
    .string()
    .regex(/^(none|[A-Za-z0-9_]{1,64}\.)$/, {
      error: 'is not letters, digits and _ with a dot at the end, or none',
    })
    .default('quarterdeck.')
    .transform((prefix) => (prefix === 'none' ? '' : prefix)),
  MASTER_KEY: z
    .string()
    .refine(isMasterKey, { error: 'is not 32 bytes as 64 hexadecimal digits or as base64' })
    .optional(),
  PUBLIC_URL: web('https://console.example.org')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  /** Proxies whose X-Forwarded-For is believed. Default: those on this machine, if PUBLIC_URL is set. */
  TRUSTED_PROXIES: listOf(proxy, '10.0.0.0/8,192.168.1.7,loopback')
    .refine((entries) => entries.every((entry) => !entry.endsWith('/0')), {
      error: 'contains a network of all addresses, so everybody could choose the address that they count for',
    })
    .refine((entries) => entries.length === 1 || !entries.includes('none'), {
      error: 'says none beside other entries',
    })
    .optional(),
  /** Opens metrics and the details of readiness to whoever sends it as a bearer token. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,200}$/, { error: 'is not 16 to 200 letters, digits and signs of a bearer token' })
    .optional(),
  /** Who gets them without the token. Default: loopback, unless there is a token or a proxy. */
  METRICS_ACCESS: z
    .enum(['token', 'loopback', 'anybody'], { error: 'is not one of token, loopback, anybody' })
    .optional(),
  /** Who may make a workspace by signing in with a provider. Default: anybody. */
  SIGN_UP: z.string().transform(parseSignUp).optional(),
  GITHUB_CLIENT_ID: credential.optional(),
  GITHUB_CLIENT_SECRET: credential.optional(),
  GITHUB_URL: web('https://github.com').default('https://github.com'),
  GITHUB_API_URL: web('https://api.github.com').default('https://api.github.com'),
  /** Container registry that accepts the tokens that users store for source code. */
  CONTAINER_REGISTRY: z
    .string()
    .regex(/^[a-z0-9.-]+(:\d{1,5})?$/, { error: 'is not a host such as ghcr.io' })
    .default('ghcr.io'),
  /** Registry of npm packages. It accepts the same tokens. */
  NPM_REGISTRY: web('https://npm.pkg.github.com')
    .default('https://npm.pkg.github.com')
    .transform((value) => value.replace(/\/+$/, '')),
  GOOGLE_CLIENT_ID: credential.optional(),
  GOOGLE_CLIENT_SECRET: credential.optional(),
  GOOGLE_ISSUER_URL: web('https://accounts.google.com').default('https://accounts.google.com'),
  /** Of users of generated APIs: `https://accounts.google.com/…` is asked as `<gateway>/accounts.google.com/…`. */
  SIGN_IN_GATEWAY: web('https://gateway.example.org').optional(),
  DIGITALOCEAN_CLIENT_ID: credential.optional(),
  DIGITALOCEAN_CLIENT_SECRET: credential.optional(),
  DIGITALOCEAN_URL: web('https://cloud.digitalocean.com').default('https://cloud.digitalocean.com'),
  DIGITALOCEAN_API_URL: web('https://api.digitalocean.com').default('https://api.digitalocean.com'),
  DNS_SERVERS: listOf(
    (entry) => /^(\[[0-9a-f:.]+\]|[0-9.]+|[0-9a-f:.]+)(:\d{1,5})?$/i.test(entry),
    '127.0.0.1:5353,9.9.9.9',
  ).optional(),
  /** How long the name servers of a zone may take to have the TXT record that proves a name. */
  DNS_PROOF_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, { error: 'is not a number of seconds between 1 and 999' })
    .transform(Number)
    .default(300),
  ACME_DIRECTORY_URL: web('https://acme-v02.api.letsencrypt.org/directory').default(
    'https://acme-v02.api.letsencrypt.org/directory',
  ),
  OUTBOUND_ALLOW: listOf(address, '10.0.0.0/8,192.168.1.7,registry.example.org').default([]),
  /** Limit per session, or per address without a session. 0: no limit. */
  CALLS_PER_MINUTE: z
    .string()
    .regex(/^\d{1,9}$/, { error: 'is not a number of calls' })
    .transform(Number)
    .default(6000),
  /** Limit for each token with which products read their texts and notifications, in each process. */
  PUBLIC_READS_PER_MINUTE: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: 'is not a number of calls' })
    .transform(Number)
    .default(60_000),
  /** How long a run waits in line while another one changes its server. Then it ends without a step. */
  RUN_WAIT_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, { error: 'is not a number of seconds between 1 and 999999' })
    .transform(Number)
    .default(1800),
  /** How long a deploy watches a container that serves, at least, before it removes the previous one. */
  DEPLOY_WATCH_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, { error: 'is not a number of seconds between 1 and 999' })
    .transform(Number)
    .default(10),
  /** Whether this process may probe servers. Of all processes that share a database, only one does. */
  HEALTH_CHECKS: z.enum(['on', 'off'], { error: 'is not one of on, off' }).default('on'),
  /** Whether this process may look up domains. Of all processes that share a database, only one does. */
  DNS_CHECKS: z.enum(['on', 'off'], { error: 'is not one of on, off' }).default('on'),
  /** Whether this process may look at sites as a visitor does. Of all processes that share a database, only one does. */
  SITE_CHECKS: z.enum(['on', 'off'], { error: 'is not one of on, off' }).default('on'),
  /** In how many seconds every site is looked at once. */
  SITE_CHECK_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, { error: 'is not a number of seconds between 1 and 99999' })
    .transform(Number)
    .default(300),
  /**
   * Whether this process may start the SSL monitor by its schedule. Of all processes that share a database, only one
   * does.
   */
  CLOUD_LOOKS: z.enum(['on', 'off'], { error: 'is not one of on, off' }).default('on'),
  SSL_SCHEDULE: z.enum(['on', 'off'], { error: 'is not one of on, off' }).default('on'),
  /** Whether this process may take backups. Of all processes that share a database, only one does. */
  BACKUPS: z.enum(['on', 'off'], { error: 'is not one of on, off' }).default('on'),
  /** Whether answers are compared with their schemas, as in tests. An answer that differs is a 500. */
  CHECK_ANSWERS: z.enum(['on', 'off'], { error: 'is not one of on, off' }).default('off'),
  /** How long a start waits for a database or an event log that it cannot reach. */
  START_WAIT_SECONDS: z
    .string()
    .regex(/^\d{1,5}$/, { error: 'is not a number of seconds' })
    .transform(Number)
    .default(60),
  /** How long calls are still taken after SIGTERM, so that load balancers notice that this process ends. */
  DRAIN_SECONDS: z
    .string()
    .regex(/^[0-4]$/, { error: 'is not a number of seconds between 0 and 4' })
    .transform(Number)
    .default(3),
  /** Takes e-mails of products over SMTP. Absent: it does not listen. 0: any free port. */
  MAIL_PORT: port.optional(),
  MAIL_HOST: z.string().min(1).default('127.0.0.1'),
  /** PEM files. With both, senders have to use STARTTLS. */
  MAIL_TLS_CERT_FILE: z.string().min(1).optional(),
  MAIL_TLS_KEY_FILE: z.string().min(1).optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'is not one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
});

export type Config = z.infer<typeof environment>;

/** One line for each wrong variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly exitCode = WRONG_ENVIRONMENT;
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

const pairs = ['GITHUB', 'GOOGLE', 'DIGITALOCEAN'] as const;

/** @throws ConfigError */
export const readConfig = (env: NodeJS.ProcessEnv): Config => {
  // `PORT=` in a compose file means: unset.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = environment.safeParse(given);
  const problems = result.success
    ? []
    : result.error.issues.map(({ path, message }) => {
        const name = path.join('.');
        const shown = shownValue(name, given[name] ?? '');
        return `${shown === undefined ? name : `${name}=${shown}`} ${message}`;
      });
  for (const name of pairs) {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`];
    if (given[id] && !given[secret]) problems.push(`${secret} is missing beside ${id}`);
    if (given[secret] && !given[id]) problems.push(`${id} is missing beside ${secret}`);
  }
  const [cert, key] = [given['MAIL_TLS_CERT_FILE'], given['MAIL_TLS_KEY_FILE']];
  if (cert && !key) problems.push('MAIL_TLS_KEY_FILE is missing beside MAIL_TLS_CERT_FILE');
  if (key && !cert) problems.push('MAIL_TLS_CERT_FILE is missing beside MAIL_TLS_KEY_FILE');
  const signUp = result.success ? signUpProblem(result.data) : undefined;
  if (signUp !== undefined) problems.push(signUp);
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const { DATABASE_URL: address, DATABASE_PASSWORD_FILE: file } = result.data;
  if (file === undefined) return result.data;
  if (address === undefined) throw new ConfigError(['DATABASE_URL is missing beside DATABASE_PASSWORD_FILE']);
  try {
    return { ...result.data, DATABASE_URL: withPasswordFrom(file, address) };
  } catch (error) {
    const { code } = error as { code?: string };
    throw new ConfigError([
      `DATABASE_PASSWORD_FILE=${file} cannot be read (${code}): give the path of a file with the password`,
    ]);
  }
};

/** Without a provider, the start prints a one-time sign-in link. */
export const hasSignInProvider = (config: Config): boolean =>
  Boolean(config.GITHUB_CLIENT_ID ?? config.GOOGLE_CLIENT_ID);
