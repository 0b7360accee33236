/**
 * Finds the leading node, and keeps a connection to it while it works. The client's own search asks one node after the
 * other, waits 5 s for each, and believes a frozen node that still calls itself the leader.
 */
import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import cluster from '@eventstore/db-client/generated/gossip_pb.js';
import { ANSWER_MS, Connection, within } from './connection';
import { leaderNamed } from './faults';

/** How long to wait for an election while nodes answer but none leads. */
const ELECTION_MS = 4_000;
const POLL_MS = 100;
/** On first contact a node may have to load its code. */
const FIRST_ANSWER_MS = 3_000;

interface Endpoint {
  address: string;
  port: number;
}

interface Address {
  discover: boolean;
  nodes: Endpoint[];
  /** @param nth gives each connection its own TCP connection. Clients with the same settings would share one. */
  of(node: Endpoint, nth: number): string;
}

const KEEP_ALIVE_MS = 10_000;
const DEFAULT_PORT = 2113;
const keepAlive = /([?&])keepAliveInterval=(-?\d+)&?/i;

/** Splits `esdb://user:password@a:2113,b:2113?tls=true` into its parts. */
function addressOf(url: string): Address {
  const [, plus, credentials = '', hosts = '', query = ''] =
    /^esdb(\+discover)?:\/\/(?:([^@/?]*)@)?([^/?]+)\/?(\?.*)?$/.exec(url) ?? [];
  const nodes = hosts.split(',').map((host) => {
    const [address = '', port] = host.split(':');
    return { address, port: Number(port ?? DEFAULT_PORT) };
  });
  const interval = Number(keepAlive.exec(query)?.[2] ?? KEEP_ALIVE_MS);
  const rest = query.replace(keepAlive, '$1').replace(/[?&]$/, '');
  return {
    discover: plus !== undefined,
    nodes,
    of: ({ address, port }, nth) =>
      `esdb://${credentials && `${credentials}@`}${address}:${port}${rest}${rest ? '&' : '?'}` +
      `keepAliveInterval=${interval < 0 ? interval : interval + (nth % KEEP_ALIVE_MS)}`,
  };
}

const same = (one: Endpoint, other: Endpoint): boolean =>
  one.address === other.address && one.port === other.port;

const leaderIn = (info: ClusterInfo): Endpoint | undefined => {
  const { LEADER } = cluster.MemberInfo.VNodeState;
  const leader = info.getMembersList().find((member) => member.getIsAlive() && member.getState() === LEADER);
  const endpoint = leader?.getHttpEndPoint();
  return endpoint && { address: endpoint.getAddress(), port: endpoint.getPort() };
};

/** Counts the connections of all instances in the process. */
let connections = 0;

class NoLeader extends UnavailableError {
  constructor() {
    super(undefined, 'no node of the cluster leads');
  }
}

export class Leader {
  readonly #address: Address;
  #current: Promise<Connection> | undefined;
  #connected: Connection | undefined;
  /** The leader according to the last node that named one. It is tried first. */
  #named: Endpoint | undefined;
  #closed = false;
  /** Connections of a running search, so that `close` can end them. */
  readonly #connections = new Set<Connection>();

  constructor(url: string) {
    // Throws if an address or a certificate file is unusable.
    EventStoreDBClient.connectionString(url);
    this.#address = addressOf(url);
  }

  /** @param until how long to wait for a leader */
  async connection(until: number): Promise<Connection> {
    if (this.#closed) throw new UnavailableError(undefined, 'the store is closed');
    this.#current ??= this.#find();
    return within(Math.max(1, until - Date.now()), this.#current);
  }

  /** Drops the connection if the error says that it is unusable. The next call looks for the leader again. */
  failed(connection: Connection, error: unknown): void {
    const named = leaderNamed(error);
    if (named) this.#named = named;
    if (named || error instanceof UnavailableError || isUnknownLeader(error)) connection.lose(error);
  }

  close(error: unknown): void {
    this.#closed = true;
    for (const connection of Array.from(this.#connections)) connection.lose(error);
  }

  #find(): Promise<Connection> {
    const found = this.#search();
    const forget = (): void => {
      if (this.#current === found) this.#current = undefined;
    };
    found.then((connection) => {
      this.#connected = connection;
      if (connection.lost) forget();
    }, forget);
    return found;
  }

  async #search(): Promise<Connection> {
    const end = Date.now() + ELECTION_MS;
    for (;;) {
      const nodes = await this.#candidates();
      const [only] = nodes;
      const searches =
        nodes.length === 1 && only && !this.#address.discover
          ? [this.#open(only).ready(FIRST_ANSWER_MS)]
          : nodes.map((node) => this.#leaderBy(node));
      try {
        const connection = await Promise.any(searches);
        for (const search of searches)
          void search.then(
            (other) => other !== connection && other.lose(new NoLeader()),
            () => undefined,
          );
        return connection;
      } catch (error) {
        const { errors } = error as AggregateError;
        this.#named = undefined;
        const electing = errors.some((one) => one instanceof NoLeader);
        if (!electing || Date.now() > end || this.#closed) throw errors.at(-1);
      }
      await sleep(POLL_MS);
    }
  }

  async #candidates(): Promise<Endpoint[]> {
    const { discover, nodes } = this.#address;
    if (this.#named) return [this.#named, ...nodes.filter((node) => !same(node, this.#named as Endpoint))];
    const [name] = nodes;
    if (!discover || !name) return nodes;
    const addresses = await lookup(name.address, { all: true });
    return addresses.map(({ address }) => ({ address, port: name.port }));
  }

  /**
   * Asks this node for the leader, and then the leader itself: for a while, the other nodes still name a frozen leader.
   */
  async #leaderBy(node: Endpoint): Promise<Connection> {
    const scout = await this.#open(node).ready(ANSWER_MS);
    const info = await scout.members(ANSWER_MS).catch((error: unknown) => {
      scout.lose(error);
      throw error;
    });
    const leader = leaderIn(info);
    if (leader && same(leader, node)) return scout;
    const error = new NoLeader();
    scout.lose(error);
    if (!leader) throw error;
    return this.#confirmed(leader);
  }

  async #confirmed(node: Endpoint): Promise<Connection> {
    const connection = this.#open(node);
    try {
      await connection.ready(ANSWER_MS);
      const leader = leaderIn(await connection.members(ANSWER_MS));
      if (leader && same(leader, node)) return connection;
    } catch {
      // The other nodes may name a dead leader until they have elected a new one.
    }
    connection.lose(new NoLeader());
    throw new NoLeader();
  }

  #open(node: Endpoint): Connection {
    connections += 1;
    const connection = new Connection(this.#address.of(node, connections), (lost) => {
      this.#connections.delete(lost);
      if (lost === this.#connected) this.#current = undefined;
    });
    this.#connections.add(connection);
    return connection;
  }
}

const isUnknownLeader = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('No leader info available');
