/** Opens the event log of a back end under test, as another process of the same console would. */
import { openEventStore, type EventStoreConfig } from '@quarterdeck/events/store';
import type { AuthenticStore } from '@quarterdeck/log/store';
import { MASTER_KEY } from './backend-process';

export const openLog = (url: string, options: Omit<EventStoreConfig, 'url'> = {}): Promise<AuthenticStore> =>
  openEventStore({ url, masterKey: Buffer.from(MASTER_KEY, 'base64'), ...options });
