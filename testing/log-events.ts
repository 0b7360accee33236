import { v7 as uuid } from 'uuid';
import type { NewEvent } from '@quarterdeck/events';
import { WrongExpectedRevision, type AppendResult, type EventStore } from '@quarterdeck/log/store';

/** An event with a text chosen by the caller. */
export const renamed = (alias: string, id: string = uuid()): NewEvent => ({
  type: 'ServerRenamed',
  data: { alias },
  meta: {
    id,
    at: new Date().toISOString(),
    actor: 'system',
    workspace: '-',
    correlationId: id,
    causationId: id,
    v: '1',
  },
});

/** Ends of streams after the last append: writers to the same stream wait for each other. */
const ends = new Map<string, Promise<number>>();

/** Appends at the end of a stream, wherever that is. */
export async function appendAtEnd(
  store: EventStore,
  stream: string,
  events: NewEvent[],
): Promise<AppendResult> {
  const before = ends.get(stream) ?? Promise.resolve(-1);
  const append = (async () => {
    for (let end = await before; ;) {
      try {
        return await store.append(stream, events, end < 0 ? 'no_stream' : end);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        end = error.actual;
      }
    }
  })();
  ends.set(
    stream,
    append.then(
      ({ revision }) => revision,
      () => before,
    ),
  );
  return append;
}

export const newStream = (): string => `server-${uuid()}`;

export const several = (count: number, prefix = 'event'): NewEvent[] =>
  Array.from({ length: count }, (_, index) => renamed(`${prefix} ${index}`));

export const aliasOf = (event: { data: unknown }): string => (event.data as { alias: string }).alias;
