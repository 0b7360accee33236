/** The log in pages, with the next one under way while the last is worked on: memory stays bounded by two pages. */
import { comparePositions, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/events/store';

export interface PageOptions {
  after?: Position;
  /** The last position that is wanted; unset: as far as the log goes. */
  upTo?: Position;
  size?: number;
}

export async function* logPages(
  store: EventStore,
  { after = '0', upTo, size = 5_000 }: PageOptions = {},
): AsyncGenerator<RecordedEvent[]> {
  let next = store.readAll(after, { limit: size });
  for (;;) {
    const page = await next;
    const last = page.at(-1);
    if (!last) return;
    // A page may be short because its events are large: only an empty one is the end of the log.
    const more = upTo === undefined || comparePositions(last.position, upTo) < 0;
    if (more) {
      next = store.readAll(last.position, { limit: size });
      // Whoever stops reading leaves this promise alone; its failure is of no interest then.
      next.catch(() => undefined);
    }
    const beyond = upTo !== undefined && comparePositions(last.position, upTo) > 0;
    const events = beyond ? page.filter((event) => comparePositions(event.position, upTo) <= 0) : page;
    if (events.length > 0) yield events;
    if (!more) return;
  }
}
