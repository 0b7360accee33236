/** Which event of a chain caused which. Pure. */
import { comparePositions, type Position } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';

/** An event of a chain, with its cause within the chain. Without a cause, a person or a clock started it. */
export interface Link extends HistoryView {
  cause?: Position;
}

const begins = new Set(['RunRequested', 'RunRetried']);

/**
 * Events of a run are caused by its request or its latest retry. Other events name their cause by id. Events recorded
 * together by one command do not cause each other.
 * @param chain oldest first
 */
export const withCauses = (chain: readonly HistoryView[]): Link[] => {
  const ids = new Map(chain.map(({ id, position }) => [id, position]));
  const begun = new Map<string, HistoryView>();
  return chain.map((event) => {
    const cause = ids.get(event.causationId) ?? begun.get(event.causationId)?.position;
    if (event.category === 'run' && begins.has(event.type)) begun.set(event.subjectId, event);
    const led = cause !== undefined && comparePositions(cause, event.position) < 0;
    return led ? { ...event, cause } : event;
  });
};
