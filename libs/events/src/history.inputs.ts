import { z } from 'zod';
import { array, boolean, instant, integer, line, longText, object, optionalText, text, uuid } from './rules';

/** A position in the log: as many digits as 64 bits need. */
export const position = text(20).regex(/^(0|[1-9]\d{0,18})$/, { error: 'a position is expected: digits' });

const eventTypes = array(text(100), 100);
const category = text(50);

/** The search index ignores punctuation, so a search needs a letter or a digit. */
// The text is only searched for, never recorded, so it may differ between runtimes.
// oxlint-disable-next-line quarterdeck/same-everywhere
const searchText = optionalText(200).refine((value) => !value || /[\p{L}\p{N}]/u.test(value), {
  error: 'a letter or a digit is expected',
});

const common = {
  text: searchText,
  actor: text(100).optional(),
  from: instant.optional(),
  to: instant.optional(),
  /** Correlation id of everything that one request caused. */
  cause: text(100).optional(),
};

const filter = {
  ...common,
  types: eventTypes.optional(),
  /** `parts`: with the events of everything that is a part of it, such as the entities of a product. */
  subject: object({ category, id: uuid.optional(), parts: boolean.optional() }).optional(),
};
export const historyFilter = object(filter);

export const historyList = object({ ...filter, before: position.optional(), limit: integer(200).optional() });
export const historyFind = object({ text: line(200) });
export const historyDetail = object({ position });
export const historyUndoPreview = object({ position });
/**
 * `seen`: hash of the preview that the operator reviewed. The other fields are the inputs that the preview asks for.
 */
export const historyUndo = object({
  position,
  seen: text(64),
  privateKey: longText(32_768).optional(),
  passphrase: optionalText(1024),
  secret: optionalText(4096),
});

/** The same filter as in the console's address: `?format=csv&text=web&type=ServerMoved&type=ServerRenamed`. */
export const historyExport = object({
  format: z.enum(['csv', 'jsonl'], { error: 'csv or jsonl is expected' }),
  ...common,
  type: z.union([text(100), eventTypes]).optional(),
  category: category.optional(),
  id: uuid.optional(),
  parts: z.literal('true', { error: 'true is expected' }).optional(),
  /** An ISO instant or a position, as in the header `X-At`, which a link cannot send. */
  at: text(40).optional(),
});
