/** Input schemas of the alert calls. The console's forms use the same schemas. */
import { URL } from 'whatwg-url';
import {
  array,
  boolean,
  exactText,
  integer,
  numericId,
  object,
  oneOf,
  optionalText,
  text,
  uuid,
  webAddress,
} from './rules';

/** Days before expiry, without duplicates, in descending order. */
const inOrder = (days: number[]): number[] => [...new Set(days)].sort((one, other) => other - one);
const thresholds = array(numericId(365), 10).transform(inOrder);

const webUrl = webAddress('https://hooks.example.org/console').refine(
  (value) => new URL(value).username === '' && new URL(value).password === '',
  { error: 'a web address without a name and a password is expected' },
);

/** Its fingerprint is shown. Somebody could guess a shorter secret from it. */
const secret = exactText(200).min(16, { error: 'a secret of at least 16 characters is expected' });

/** `secret` signs the deliveries. If omitted, the stored secret stays; if there is none, one is generated. */
const webhook = object({ url: webUrl, secret: secret.optional() });

/** Such as `21, 14, 7`. Empty: no alerts. */
const listedThresholds = text(100)
  .refine((days) => /^\s*\d{1,4}((\s*[,;]\s*|\s+)\d{1,4})*\s*$/.test(days), {
    error: 'days are expected, such as 21, 14, 7',
    abort: true,
  })
  .transform((days) =>
    inOrder(
      days
        .trim()
        .split(/[,;\s]+/)
        .map(Number),
    ),
  )
  .refine((days) => days.length <= 10 && days.every((day) => day >= 1 && day <= 365), {
    error: 'at most ten days between 1 and 365 are expected',
  });

/** Form schema of `workspaceAlerts`. Its field names match those in the errors of the call. */
export const alertSettings = object({
  thresholds: listedThresholds.optional(),
  webhook: object({ url: webUrl.optional(), secret: secret.optional() }).optional(),
});
export const workspaceAlerts = object({
  thresholds,
  webhook: webhook.optional(),
  revision: integer().optional(),
});
/** `note`: what is being done about it. */
export const alertAcknowledgement = object({ id: uuid, note: optionalText(500).default('') });
export const alertList = object({ open: boolean.optional() });
/** `thresholds: null`: use the thresholds of the workspace. */
export const domainAlerts = object({
  id: uuid,
  thresholds: thresholds.nullable(),
  revision: integer().optional(),
});
/** Form schema of `domainAlerts`. */
export const domainAlertSettings = object({
  whose: oneOf(['workspace', 'domain']),
  thresholds: listedThresholds.optional(),
});
