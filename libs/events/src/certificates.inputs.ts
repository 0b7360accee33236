/** Input schemas of the calls about certificates and the SSL monitor. The console's forms use the same schemas. */
import { chosenLineage, siteOptions } from './domains.inputs';
import { asciiOf } from './host';
import { listPageWithin } from './lists.inputs';
import { boolean, integer, numericId, object, oneOf, text, uuid } from './rules';

const HOST = /^(\*\.)?[a-z0-9_.:[\]-]+$/i;

const asciiHost = (typed: string): string => {
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/.exec(typed) ?? [];
  return `${asciiOf(name)}${port}`;
};

/** `host`: a name or an address, with or without a port. Of a wildcard, any name that it covers is asked. */
export const sslExpiry = object({
  host: text(300)
    .transform(asciiHost)
    .refine((name) => HOST.test(name), { error: 'a host name is expected, such as shop.example.org' }),
});

/**
 * `id`: the domain. `runId`: chosen by the caller, so that they can watch the run from its first byte. `seen`: SHA-256
 * of the configuration that the operator reviewed; no other configuration goes live.
 */
export const certificateIssue = object({
  id: uuid,
  runId: uuid.optional(),
  /** Issue even if the present certificate is far from expiry. Counts against the CA's limits. */
  force: boolean.optional(),
  /** Options of the configuration that goes live with the certificate. */
  options: siteOptions
    .refine(({ ssl }) => ssl, { error: 'ssl is expected to be on with a certificate', path: ['ssl'] })
    .optional(),
  seen: text(64).optional(),
  lineage: chosenLineage.optional(),
  /** How the authority checks the names. Default: as for the present certificate; a wildcard in DNS. */
  proof: oneOf(['http', 'dns']).optional(),
  /** Register a new account at the CA, because it has forgotten the present one. */
  newAccount: boolean.optional(),
});

/**
 * `leave`: forget the certificate, and leave its files on the server. `lineage`: certbot's name for it, typed by the
 * operator, to delete a certificate that the console did not make.
 */
export const certificateRemove = object({
  id: uuid,
  runId: uuid.optional(),
  seen: text(64).optional(),
  leave: boolean.optional(),
  lineage: text(300).optional(),
});
export const certificateLineage = object({ id: uuid });

export const sslRunStart = object({
  runId: uuid.optional(),
  /** Check only, renew nothing. */
  checkOnly: boolean.optional(),
});

/** `problems`: only domains with a problem, at most so many, the worst first. */
export const sslChecks = object({ id: uuid, problems: numericId(50).optional() });

export const sslChecksPage = listPageWithin({ id: uuid });

const field = /^(\*|\d{1,2}(-\d{1,2})?)(\/\d{1,2})?(,(\*|\d{1,2}(-\d{1,2})?)(\/\d{1,2})?)*$/;
const schedule = text(100).refine(
  (value) => value.split(' ').length === 5 && value.split(' ').every((part) => field.test(part)),
  { error: 'five fields as in crontab are expected, such as 17 3 * * *' },
);

const rule = {
  checkPauseMs: integer(60_000),
  renewPauseMs: integer(600_000),
  concurrency: numericId(100),
  expiringDays: numericId(365),
  schedule: schedule.optional(),
  /** Renews only what has expired. */
  onlyExpired: boolean.optional(),
};

/** Form schema of `workspaceSslMonitor`. */
export const sslMonitorSettings = object(rule);
export const workspaceSslMonitor = object({ ...rule, revision: integer().optional() });
