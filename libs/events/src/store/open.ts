import { codec as catalogueCodec, type Codec } from '../codec';
import type { LogEngine } from './engine';
import type { EventStore } from './event-store';
import { PostgresStore } from './postgres/postgres-store';
import { TypedStore } from './typed-store';

export interface EventStoreConfig {
  /** `postgres://…` or `esdb://…`. */
  url: string;
  /** Default: the catalogue's. */
  codec?: Codec;
  /** Told of faults that the store recovers from by itself, such as a lost connection. */
  onFault?: (error: unknown) => void;
}

/** The log at that address, its schema in place. */
export async function openEventStore(config: EventStoreConfig): Promise<EventStore> {
  return new TypedStore(await openEngine(config), config.codec ?? catalogueCodec);
}

async function openEngine(config: EventStoreConfig): Promise<LogEngine> {
  const scheme = /^([a-z+]+):\/\//.exec(config.url)?.[1];
  if (scheme === 'postgres' || scheme === 'postgresql') return PostgresStore.open(config);
  if (scheme === 'esdb' || scheme === 'esdb+discover') {
    // Loaded only where it is used: its client is a sixth of what the back end loads.
    const { EventStoreDbStore } = await import('./eventstoredb/eventstoredb-store');
    return new EventStoreDbStore(config);
  }
  throw new Error(
    `the event store's address should begin with postgres:// or esdb://, not ${scheme ?? 'this'}`,
  );
}
