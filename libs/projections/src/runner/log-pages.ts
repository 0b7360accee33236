/**
 * Reads the log in pages, and fetches the next page while the caller works on the last. At most two pages are in
 * memory.
 */
import { comparePositions, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';

export interface PageOptions {
  after?: Position;
  /** The last position to read. Unset: up to the end of the log. */
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
    // A page may be short because its events are large. Only an empty page is the end of the log.
    const more = upTo === undefined || comparePositions(last.position, upTo) < 0;
    if (more) {
      next = store.readAll(last.position, { limit: size });
      // If the caller stops reading, nobody awaits this promise, so its failure must not go unhandled.
      next.catch(() => undefined);
    }
    const beyond = upTo !== undefined && comparePositions(last.position, upTo) > 0;
    const events = beyond ? page.filter((event) => comparePositions(event.position, upTo) <= 0) : page;
    if (events.length > 0) yield events;
    if (!more) return;
  }
}
