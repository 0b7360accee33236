/** Input schemas of the calls about backups. The console's forms use the same schemas. */
import { z } from 'zod';
import {
  array,
  boolean,
  exactText,
  messages,
  numericId,
  object,
  optionalLine,
  optionalText,
  text,
  uuid,
  webAddress,
} from './rules';

const folder = text(1000).refine((path) => /^(\/|[A-Za-z]:[\\/])/.test(path), {
  error: 'the whole path of a folder is expected, such as /mnt/backups',
});

/** The public key of an age identity, or of one made with `age-plugin-...`. The call checks that it is valid. */
const recipient = text(5000);

/** Longer than a time, so that a mistake is answered with an example of one. */
const time = text(40).refine((at) => /^([01]\d|2[0-3]):[0-5]\d$/.test(at), {
  error: 'a time is expected, such as 02:30',
});

/** Names of buckets and regions are parts of host names. */
const hostPart = text(255).refine((name) => /^[a-z0-9][a-z0-9._-]*$/i.test(name), {
  error: 'letters, digits, dots and dashes are expected',
});

/** May have a path. An address with other parts would be read as another one, such as `a/../b` as `b`. */
export const bucketEndpoint = webAddress('https://s3.eu-central-1.amazonaws.com').refine(
  (address) => /^https?:\/\/[^/?#@\\\s]+(\/[\w.~-]+)*\/?$/i.test(address) && !/\/\.\.?(\/|$)/.test(address),
  {
    error:
      'host, port and path are expected, without a user, a question mark, %, // and .., such as https://s3.eu-central-1.amazonaws.com or https://storage.example.org/v1/s3',
  },
);

const s3 = object({
  kind: z.literal('s3'),
  endpoint: bucketEndpoint,
  region: hostPart,
  bucket: hostPart,
  prefix: optionalText(500).refine(
    (prefix) =>
      prefix === undefined || (/^([\w.-]+\/)*[\w.-]*$/.test(prefix) && !/(^|\/)\.\.?(\/|$)/.test(prefix)),
    {
      error:
        'letters, digits, dots, dashes and slashes are expected, without a slash at the beginning and without a part that is . or .., such as quarterdeck/',
    },
  ),
  pathStyle: boolean,
  storageClass: optionalText(40).refine((name) => name === undefined || /^[A-Z][A-Z0-9_]*$/.test(name), {
    error: 'capital letters, digits and underscores are expected, such as STANDARD_IA',
  }),
  encryption: z.enum(['AES256', 'aws:kms'], { error: () => messages.type('AES256 | aws:kms') }).optional(),
  /** Of the key service. If omitted, the default key of the account. */
  encryptionKey: optionalLine(2048),
  /** PEM of certificate authorities. */
  ca: optionalText(100_000),
  accessKeyId: text(200),
  /** If omitted, the stored key is kept. */
  secretAccessKey: exactText(500).optional(),
  /** Of keys that are valid for a time. If omitted, it is kept together with the stored key. */
  sessionToken: exactText(10_000).optional(),
});

export const backupPlan = object({
  target: z.discriminatedUnion(
    'kind',
    [
      /** Without a path: the folder `backups` in DATA_DIR. */
      object({ kind: z.literal('folder'), path: folder.optional() }),
      s3,
    ],
    { error: (issue) => (issue.input == null ? messages.required : messages.type('folder | s3')) },
  ),
  /** Daily time in UTC. Null: only on demand. */
  schedule: object({ at: time }).nullable(),
  keep: object({ days: numericId(365), weeks: numericId(520), months: numericId(120) }),
  recipients: array(recipient, 20),
});
/** Form schema of `backupPlan`. Its field names match those in the errors of the call. */
export const backupPlanForm = backupPlan.omit({ schedule: true, recipients: true }).extend({
  scheduled: boolean,
  schedule: object({ at: time }).optional(),
  /** One recipient per line. */
  recipients: optionalText(100_000),
});
export const backupArchive = object({ archive: uuid });
export const backupRequest = object({ full: boolean.optional() });
export const backupCancel = object({ work: uuid });
