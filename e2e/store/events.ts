import { v7 as uuid } from 'uuid';
import type { NewEvent } from '@quarterdeck/events';

/** An event with a text of the caller's choice. */
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

export const newStream = (): string => `server-${uuid()}`;

export const several = (count: number, prefix = 'event'): NewEvent[] =>
  Array.from({ length: count }, (_, index) => renamed(`${prefix} ${index}`));

export const aliasOf = (event: { data: unknown }): string => (event.data as { alias: string }).alias;
