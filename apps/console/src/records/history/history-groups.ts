/**
 * Events with the same cause stand together: a command, the run it started, each step of it. A group stands where its
 * newest event belongs, so two operators who work at the same time do not shred each other's stories.
 */
import type { HistoryView } from '@quarterdeck/projections';

export interface HistoryRow {
  event: HistoryView;
  /** Place within its group; `only` stands for itself. */
  place: 'only' | 'first' | 'middle' | 'last';
  /** Events of the group, as far as they are loaded. */
  size: number;
}

/** From events newest first to rows in the order of the page. */
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
