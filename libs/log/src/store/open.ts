import type { Codec } from '../codec';
import type { LogEngine } from './engine';
import { logAddress } from './log-address';
import { PostgresStore } from './postgres/postgres-store';
import { AuthenticStore } from './authentic-store';
import { LogKeys } from './log-keys';

export interface LogConfig {
  /** `postgres://…`, `esdb://…` or `kurrentdb://…`. The latter two can name several nodes. */
  url: string;
  /**
   * The key that decrypts the log's own keys is derived from it. A log without keys is founded. Without a master key,
   * events get no tags and none are checked.
   */
  masterKey?: Buffer;
  /** Do not found a log that has no identity. */
  readOnly?: boolean;
  /** Do not migrate the schema of a Postgres log that an earlier version made. The log is then read-only. */
  asItIs?: boolean;
  /** Prefix of all stream names in an EventStoreDB, so that other programs can use the same server. Default: none. */
  prefix?: string;
  /** Called for faults that the store recovers from by itself, such as a lost connection. */
  onFault?: (error: unknown) => void;
}

/**
 * Opens the log at that address, and creates its schema if needed.
 * @throws UnusableLogAddress, WrongLogKey, LogWithoutPrefix
 */
export async function openLog(
  codec: Codec,
  { masterKey, readOnly, ...config }: LogConfig,
): Promise<AuthenticStore> {
  const engine = await openEngine(config);
  try {
    const keys = masterKey && (await LogKeys.open(engine, masterKey, readOnly));
    return new AuthenticStore(engine, codec, keys);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens the log at that address without founding it or checking its events. */
export async function openEngine(
  config: Pick<LogConfig, 'url' | 'prefix' | 'onFault' | 'asItIs'>,
): Promise<LogEngine> {
  const { engine, url } = logAddress(config.url);
  if (engine === 'postgres') return PostgresStore.open({ ...config, url });
  // Loaded on demand: this client is a sixth of the code that the back end loads.
  const { EventStoreDbStore } = await import('./eventstoredb/eventstoredb-store');
  return EventStoreDbStore.open({ ...config, url });
}
