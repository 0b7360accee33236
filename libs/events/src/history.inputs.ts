import { z } from 'zod';
import { array, instant, integer, longText, object, optionalText, text, uuid } from './rules';

/** A place in the log: digits, as many as 64 bits need. */
export const position = text(20).regex(/^(0|[1-9]\d{0,18})$/, { error: 'a position is expected: digits' });

const eventTypes = array(text(100), 100);
const category = text(50);

/** Signs alone are in no index, and nobody looks for them. */
// Of a question, which is not recorded.
// oxlint-disable-next-line quarterdeck/same-everywhere
const searchText = optionalText(200).refine((value) => !value || /[\p{L}\p{N}]/u.test(value), {
  error: 'a letter or a digit is expected',
});

const common = {
  text: searchText,
  actor: text(100).optional(),
  from: instant.optional(),
  to: instant.optional(),
  /** Everything that one request set in motion: a correlation id. */
  cause: text(100).optional(),
};

const filter = {
  ...common,
  types: eventTypes.optional(),
  subject: object({ category, id: uuid.optional() }).optional(),
};
export const historyFilter = object(filter);

export const historyList = object({ ...filter, before: position.optional(), limit: integer(200).optional() });
export const historyDetail = object({ position });
export const historyUndoPreview = object({ position });
/** `seen`: of the preview that was looked at. The rest is what the preview says it needs. */
export const historyUndo = object({
  position,
  seen: text(64),
  privateKey: longText(32_768).optional(),
  passphrase: optionalText(1024),
  secret: optionalText(4096),
});

/** The same filter as it stands in the console's address: `?format=csv&text=web&type=ServerMoved&type=ServerRenamed`. */
export const historyExport = object({
  format: z.enum(['csv', 'jsonl'], { error: 'csv or jsonl is expected' }),
  ...common,
  type: z.union([text(100), eventTypes]).optional(),
  category: category.optional(),
  id: uuid.optional(),
  /** An ISO instant or a position, as in `X-At`, which a link cannot send. */
  at: text(40).optional(),
});
