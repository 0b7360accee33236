/**
 * A server that speaks EventStoreDB's protocol over gRPC, using the service definitions inside the client's package,
 * and keeps its log in memory. It is as strict as measurements of the real one: 100 open calls per connection, a read
 * that stays open until it was read to its end or cancelled, a repeated append recognised only at the same expected
 * revision.
 */
import { Cluster, type ClusterOptions } from './cluster';
import type { EventLog } from './event-log';
import type { Faults } from './faults';

export interface EventStoreDbServer {
  url: string;
  log: EventLog;
  faults: Faults;
  /** Cuts every connection and keeps listening. */
  drop(): Promise<void>;
  /** Cuts every connection and accepts none; the log stays. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** Like a stopped process: connections stay open and silent, and new ones are accepted but also silent. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** A single node. */
export async function startEventStoreDb(
  options: Omit<ClusterOptions, 'size' | 'killedMs'> = {},
): Promise<EventStoreDbServer> {
  const cluster = new Cluster({ ...options, size: 1, killedMs: 0 });
  await cluster.start();
  return {
    url: cluster.url,
    log: cluster.log,
    faults: cluster.faults,
    drop: async () => cluster.drop(),
    halt: () => cluster.kill(0),
    resume: () => cluster.revive(0),
    freeze: () => cluster.freeze(0),
    thaw: () => cluster.thaw(0),
    stop: () => cluster.stop(),
  };
}
