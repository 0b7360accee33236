/** Input schemas of the calls about backups. The console's forms use the same schemas. */
import { array, boolean, numericId, object, oneOf, text, uuid } from './rules';

const folder = text(1000).refine((path) => /^(\/|[A-Za-z]:[\\/])/.test(path), {
  error: 'the whole path of a folder is expected, such as /mnt/backups',
});

/** The public key of an age identity, or of one made with `age-plugin-...`: whether it is one is checked by the call. */
const recipient = text(5000);

const time = text(5).refine((at) => /^([01]\d|2[0-3]):[0-5]\d$/.test(at), {
  error: 'a time is expected, such as 02:30',
});

export const backupPlan = object({
  /** Without a path: the folder `backups` in DATA_DIR. */
  target: object({ kind: oneOf(['folder']), path: folder.optional() }),
  /** In UTC; null: only on demand. */
  schedule: object({ at: time }).nullable(),
  keep: object({ days: numericId(365), weeks: numericId(520), months: numericId(120) }),
  recipients: array(recipient, 20),
});
export const backupRequest = object({ full: boolean.optional() });
export const backupCancel = object({ work: uuid });
