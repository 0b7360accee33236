import { streamName } from '@quarterdeck/events';
import type { EventStore } from '../platform/tokens';

/** When a trigger was changed last. */
export const changedAt = async (store: EventStore, id: string): Promise<Date> => {
  const events = await store.readStream(streamName('workflowTrigger', id));
  return new Date(events.at(-1)?.meta.at ?? Date.now());
};
