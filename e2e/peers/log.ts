/** The log of a back end under test, as another process of the same console has it. */
import type { NewEvent } from '@quarterdeck/events';
import {
  openEventStore,
  type AppendResult,
  type AuthenticStore,
  type EventStore,
  type EventStoreConfig,
} from '@quarterdeck/events/store';
import { MASTER_KEY } from './backend-process';

export const openLog = (url: string, options: Omit<EventStoreConfig, 'url'> = {}): Promise<AuthenticStore> =>
  openEventStore({ url, masterKey: Buffer.from(MASTER_KEY, 'base64'), ...options });

/** Behind whatever the stream holds by now. */
export const appendTo = async (
  store: EventStore,
  stream: string,
  events: NewEvent[],
): Promise<AppendResult> => {
  const { revision } = await store.readAfter(stream, -1);
  return store.append(stream, events, revision < 0 ? 'no_stream' : revision);
};
