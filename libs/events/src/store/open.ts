import { codec as catalogueCodec, type Codec } from '../codec';
import type { LogEngine } from './engine';
import { logAddress } from './log-address';
import { PostgresStore } from './postgres/postgres-store';
import { AuthenticStore } from './authentic-store';
import { LogKeys } from './log-keys';

export interface EventStoreConfig {
  /** `postgres://…`, `esdb://…` or `kurrentdb://…`, the latter two also of several nodes. */
  url: string;
  /**
   * From which the key is derived that opens the log's own keys. A log that has none is founded. Without a master key
   * events get no tags and none are checked.
   */
  masterKey?: Buffer;
  /** A log without an identity is not given one. */
  readOnly?: boolean;
  /** Before the names of all streams in an EventStoreDB, so that others may use the same one. Default: none. */
  prefix?: string;
  /** Default: the catalogue's. */
  codec?: Codec;
  /** Told of faults that the store recovers from by itself, such as a lost connection. */
  onFault?: (error: unknown) => void;
}

/**
 * The log at that address, its schema in place.
 * @throws UnusableLogAddress, WrongLogKey, LogWithoutPrefix
 */
export async function openEventStore({
  masterKey,
  readOnly,
  codec,
  ...config
}: EventStoreConfig): Promise<AuthenticStore> {
  const engine = await openEngine(config);
  try {
    const keys = masterKey && (await LogKeys.open(engine, masterKey, readOnly));
    return new AuthenticStore(engine, codec ?? catalogueCodec, keys);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The log at that address as it is: it is not founded, and nothing in it is judged. */
export async function openEngine(
  config: Pick<EventStoreConfig, 'url' | 'prefix' | 'onFault'>,
): Promise<LogEngine> {
  const { engine, url } = logAddress(config.url);
  if (engine === 'postgres') return PostgresStore.open({ ...config, url });
  // Loaded only where it is used: its client is a sixth of what the back end loads.
  const { EventStoreDbStore } = await import('./eventstoredb/eventstoredb-store');
  return EventStoreDbStore.open({ ...config, url });
}
