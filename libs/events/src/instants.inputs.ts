import { instant, integer, object, text, uuid } from './rules';

/** An instant or a position of the history. */
export const instantDetail = object({ at: text(40) });
/** Number of events between two instants (default: from the beginning until now), split into `stretches` intervals. */
export const instantTimeline = object({
  from: instant.optional(),
  to: instant.optional(),
  stretches: integer(500).optional(),
});
/** How one subject changed between two instants or positions. `to` defaults to now. */
export const instantDifference = object({
  subject: object({ category: text(50), id: uuid }),
  from: text(40),
  to: text(40).optional(),
});
