/** Why something happened: which event of a chain led to which. Pure. */
import { comparePositions, type Position } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';

/** An event of a chain, with the one of the chain that led to it. Without: somebody asked for it, or a clock. */
export interface Link extends HistoryView {
  cause?: Position;
}

const begins = new Set(['RunRequested', 'RunRetried']);

/**
 * What a run did follows from its request, or from the retry that came last; what follows from an event names its id.
 * What one command did stands side by side.
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
