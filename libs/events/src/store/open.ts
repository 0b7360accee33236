import { codec as catalogueCodec, type Codec } from '../codec';
import type { LogEngine } from './engine';
import type { EventStore } from './event-store';
import { logAddress } from './log-address';
import { PostgresStore } from './postgres/postgres-store';
import { TypedStore } from './typed-store';

export interface EventStoreConfig {
  /** `postgres://…`, `esdb://…` or `kurrentdb://…`, the latter two also of several nodes. */
  url: string;
  /** Default: the catalogue's. */
  codec?: Codec;
  /** Told of faults that the store recovers from by itself, such as a lost connection. */
  onFault?: (error: unknown) => void;
}

/**
 * The log at that address, its schema in place.
 * @throws UnusableLogAddress
 */
export async function openEventStore(config: EventStoreConfig): Promise<EventStore> {
  return new TypedStore(await openEngine(config), config.codec ?? catalogueCodec);
}

async function openEngine(config: EventStoreConfig): Promise<LogEngine> {
  const { engine, url } = logAddress(config.url);
  if (engine === 'postgres') return PostgresStore.open({ ...config, url });
  // Loaded only where it is used: its client is a sixth of what the back end loads.
  const { EventStoreDbStore } = await import('./eventstoredb/eventstoredb-store');
  return new EventStoreDbStore({ ...config, url });
}
