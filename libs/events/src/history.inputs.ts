import { array, instant, integer, object, optionalText, text, uuid } from './rules';

/** A place in the log: digits, as many as 64 bits need. */
export const position = text(20).regex(/^(0|[1-9]\d{0,18})$/, { error: 'a position is expected: digits' });

export const historyList = object({
  text: optionalText(200),
  types: array(text(100), 100).optional(),
  subject: object({ category: text(50), id: uuid.optional() }).optional(),
  actor: text(100).optional(),
  from: instant.optional(),
  to: instant.optional(),
  /** Everything that one request set in motion: a correlation id. */
  cause: text(100).optional(),
  before: position.optional(),
  limit: integer(200).optional(),
});
export const historyDetail = object({ position });
