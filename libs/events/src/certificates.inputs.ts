/** What the calls about certificates and the SSL monitor accept; the forms of the console use the same schemas. */
import { siteOptions } from './domains.inputs';
import { boolean, integer, numericId, object, text, uuid } from './rules';

const HOST = /^[a-z0-9_.:[\]-]+$/i;

/** `host`: a name or an address, with a port or without. */
export const sslExpiry = object({
  host: text(300).regex(HOST, { error: 'a host name is expected, such as shop.example.org' }),
});

/**
 * Of a domain. `runId`: chosen by the caller, who can then watch from the first byte. `seen`: the configuration that was
 * looked at, by its SHA-256; no other one goes live.
 */
export const certificateIssue = object({
  id: uuid,
  runId: uuid.optional(),
  /** Also when the present certificate is good for long. Counts against what the CA allows. */
  force: boolean.optional(),
  /** Of the configuration that goes live with the certificate. */
  options: siteOptions
    .refine(({ ssl }) => ssl, { error: 'ssl is expected to be on with a certificate', path: ['ssl'] })
    .optional(),
  seen: text(64).optional(),
});
export const certificateRemove = object({ id: uuid, runId: uuid.optional(), seen: text(64).optional() });

export const sslRunStart = object({
  runId: uuid.optional(),
  /** Check only, renew nothing. */
  checkOnly: boolean.optional(),
});

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

/** The form's part of `workspaceSslMonitor`. */
export const sslMonitorSettings = object(rule);
export const workspaceSslMonitor = object({ ...rule, revision: integer().optional() });
