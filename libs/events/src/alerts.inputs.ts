/** What the calls about alerts accept; the forms of the console use the same schemas. */
import { URL } from 'whatwg-url';
import { array, boolean, integer, numericId, object, oneOf, text, uuid, webAddress } from './rules';

/** Days before the end, each once and the largest first, whatever the order in which they came. */
const inOrder = (days: number[]): number[] => [...new Set(days)].sort((one, other) => other - one);
const thresholds = array(numericId(365), 10).transform(inOrder);

const webUrl = webAddress('https://hooks.example.org/console').refine(
  (value) => new URL(value).username === '' && new URL(value).password === '',
  { error: 'a web address without a name and a password is expected' },
);

/** Its fingerprint is shown, from which a shorter one could be guessed. */
const secret = text(200).min(16, { error: 'a secret of at least 16 characters is expected' });

/** `secret`: what deliveries are signed with; left out, the one that is stored stays, or one is made. */
const webhook = object({ url: webUrl, secret: secret.optional() });

/** `21, 14, 7`; nothing: nobody is told. */
const listedThresholds = text(100)
  .refine((days) => /^\s*\d{1,4}(\s*[,;\s]\s*\d{1,4})*\s*$/.test(days), {
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

/** What the form of `workspaceAlerts` asks for; the names are those of the fields that the call refuses. */
export const alertSettings = object({
  thresholds: listedThresholds.optional(),
  'webhook.url': webUrl.optional(),
  'webhook.secret': secret.optional(),
});
export const workspaceAlerts = object({
  thresholds,
  webhook: webhook.optional(),
  revision: integer().optional(),
});
export const alertList = object({ open: boolean.optional() });
/** `thresholds: null`: those of the workspace. */
export const domainAlerts = object({
  id: uuid,
  thresholds: thresholds.nullable(),
  revision: integer().optional(),
});
/** What the form of `domainAlerts` asks for. */
export const domainAlertSettings = object({
  whose: oneOf(['workspace', 'domain']),
  thresholds: listedThresholds.optional(),
});
