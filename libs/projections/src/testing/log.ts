/** An in-memory log for tests of folds. It numbers streams and positions as the store would. */
import { streamParts, type AppEvent, type LoggedEvent } from '@quarterdeck/events';
import { isShown, type ProjectionDefinition } from '../define-projection';

export const ALICE = '0193f0a0-0000-7000-8000-00000000a11c';
export const WORKSPACE = '0193f0a0-0000-7000-8000-0000000000c0';

export const logOf = (...entries: [stream: string, event: AppEvent][]): LoggedEvent[] => {
  const revisions = new Map<string, number>();
  return entries.map(([stream, event], index) => {
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    const at = new Date(Date.UTC(2026, 10, 20, 12, 0, index)).toISOString();
    const id = `0193f0a0-0000-7000-8000-${String(index + 1).padStart(12, '0')}`;
    const causes = { correlationId: 'request-1', causationId: 'command-1' };
    const meta = { id, at, actor: ALICE, workspace: WORKSPACE, ...causes, v: '1' };
    return { ...event, stream, revision, position: String(index + 1), recordedAt: at, meta } as LoggedEvent;
  });
};

/** The visible rows that a definition makes of a log, by id. */
export const viewsOf = <V extends object>(
  definition: ProjectionDefinition<V>,
  log: LoggedEvent[],
): Map<string, V> => {
  const rows = new Map<string, V>();
  for (const event of log)
    for (const key of definition.keys(event)) {
      const view = definition.evolve(rows.get(key), event, key);
      if (view) rows.set(key, view);
      else rows.delete(key);
    }
  return new Map([...rows].filter(([, view]) => isShown(definition, view)));
};

/** The row whose id is that of the stream. */
export const viewOf = <V extends object>(
  definition: ProjectionDefinition<V>,
  stream: string,
  log: LoggedEvent[],
): V | undefined => viewsOf(definition, log).get(streamParts(stream).id);
