/**
 * Groups events with the same cause: a command, the run it started, and each of its steps. A group is placed by its
 * newest event, so the actions of two operators working at the same time stay apart.
 */
import type { HistoryView } from '@quarterdeck/projections';

export interface HistoryRow {
  event: HistoryView;
  /** Place within its group; `only` is a group of one. */
  place: 'only' | 'first' | 'middle' | 'last';
  /** Number of loaded events in the group. */
  size: number;
}

/** @param events Newest first; the result is in display order. */
export const groupByCause = (events: readonly HistoryView[]): HistoryRow[] => {
  const groups = new Map<string, HistoryView[]>();
  for (const event of events) {
    const group = groups.get(event.correlationId);
    if (group) group.push(event);
    else groups.set(event.correlationId, [event]);
  }
  return [...groups.values()].flatMap((group) =>
    group.map((event, index): HistoryRow => {
      const last = group.length - 1;
      const place = last === 0 ? 'only' : index === 0 ? 'first' : index === last ? 'last' : 'middle';
      return { event, place, size: group.length };
    }),
  );
};
