import { instant, integer, object, text, uuid } from './rules';

/** An instant, or a position of the history. */
export const momentDetail = object({ at: text(40) });
/** How much happened when, between two instants or from the beginning until now, in so many stretches. */
export const momentTimeline = object({
  from: instant.optional(),
  to: instant.optional(),
  stretches: integer(500).optional(),
});
/** What became of one thing between two instants or positions; without the later one, until now. */
export const momentDifference = object({
  subject: object({ category: text(50), id: uuid }),
  from: text(40),
  to: text(40).optional(),
});
