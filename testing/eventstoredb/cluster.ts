/**
 * Three nodes on one log, with realistic faults: a killed leader is replaced soon, a frozen one later, and without a
 * quorum nobody writes. A node that was frozen or dead returns as a follower.
 */
import type { ServerUnaryCall } from '@grpc/grpc-js';
import { EventLog } from './event-log';
import { noFaults, type Faults } from './faults';
import { notLeader, type Member } from './messages';
import { Node, type NodeOptions } from './node';

export interface ClusterOptions extends NodeOptions {
  /** Default: 3. */
  size?: number;
  /** Milliseconds until a killed leader is replaced: 100 to 1,100 on a real cluster. Default: 300. */
  killedMs?: number;
  /** The same for a frozen leader: 6,600 to 7,500 on a real cluster. Default: 1,500. */
  frozenMs?: number;
  /** Default: an empty log. */
  log?: EventLog;
}

type Call = Pick<ServerUnaryCall<unknown, unknown>, 'metadata'>;
type State = 'running' | 'frozen' | 'dead';

const asksForLeader = ({ metadata }: Call): boolean => metadata.get('requires-leader')[0] === 'true';

export class Cluster {
  readonly log: EventLog;
  readonly faults: Faults = noFaults();
  readonly #nodes: Node[];
  readonly #states: State[];
  readonly #waiting = new Set<() => void>();
  readonly #options: ClusterOptions;
  #leader: number | undefined = 0;
  #election: NodeJS.Timeout | undefined;

  constructor(options: ClusterOptions = {}) {
    this.#options = options;
    this.log = options.log ?? new EventLog();
    const indexes = Array.from({ length: options.size ?? 3 }, (_, index) => index);
    this.#states = indexes.map(() => 'running');
    this.#nodes = indexes.map(
      (index) =>
        new Node(
          {
            log: this.log,
            faults: this.faults,
            mayWrite: (call) => this.#mayWrite(index, call),
            mayRead: (call) => {
              if (asksForLeader(call) && this.#leader !== index) throw notLeader(this.#endpoint());
            },
            members: () => this.#members(),
          },
          options,
        ),
    );
  }

  /** All nodes, in the notation of EventStoreDB's documentation. */
  get url(): string {
    return `esdb://${this.#nodes.map(({ wire }) => `127.0.0.1:${wire.port}`).join(',')}?tls=${Boolean(this.#options.tls)}`;
  }

  urlOf(index: number): string {
    return `esdb://127.0.0.1:${this.#node(index).wire.port}?tls=${Boolean(this.#options.tls)}`;
  }

  /** `undefined` while there is none. A frozen leader counts until the others have elected another one. */
  get leader(): number | undefined {
    return this.#leader;
  }

  async start(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.start()));
  }

  async stop(): Promise<void> {
    clearTimeout(this.#election);
    await Promise.all(this.#nodes.map((node) => node.kill()));
  }

  async kill(index: number): Promise<void> {
    this.#states[index] = 'dead';
    if (this.#leader === index) this.#leader = undefined;
    this.#electAfter(this.#options.killedMs ?? 300);
    await this.#node(index).kill();
    if (this.#states.every((state) => state === 'dead')) this.log.forget();
  }

  async revive(index: number): Promise<void> {
    await this.#node(index).start();
    this.#states[index] = 'running';
    this.#electAfter(this.#options.killedMs ?? 300);
    this.#wake();
  }

  freeze(index: number): void {
    this.#states[index] = 'frozen';
    this.#node(index).wire.freeze();
    this.#electAfter(this.#options.frozenMs ?? 1_500);
  }

  thaw(index: number): void {
    this.#states[index] = 'running';
    this.#node(index).wire.thaw();
    this.#electAfter(this.#options.killedMs ?? 300);
    this.#wake();
  }

  /** Cuts every connection; new ones are accepted. */
  drop(): void {
    for (const { wire } of this.#nodes) wire.cut();
  }

  /** Resolves with the leader once a running node leads. */
  async elected(): Promise<number> {
    for (;;) {
      if (this.#leader !== undefined && this.#states[this.#leader] === 'running') return this.#leader;
      await this.#change();
    }
  }

  get #quorum(): boolean {
    return this.#states.filter((state) => state === 'running').length * 2 > this.#states.length;
  }

  #node(index: number): Node {
    const node = this.#nodes[index];
    if (!node) throw new Error(`there is no node ${index}`);
    return node;
  }

  #endpoint(): { host: string; port: number } | undefined {
    return this.#leader === undefined
      ? undefined
      : { host: '127.0.0.1', port: this.#node(this.#leader).wire.port };
  }

  #members(): Member[] {
    return this.#nodes.map(({ wire }, index) => ({
      host: '127.0.0.1',
      port: wire.port,
      role: this.#leader === index ? 'leader' : this.#leader === undefined ? 'unknown' : 'follower',
      // The other nodes do not notice a frozen leader until it is replaced.
      alive: this.#states[index] === 'running' || this.#leader === index,
    }));
  }

  /** A follower forwards calls that do not require the leader, and otherwise names the leader. */
  async #mayWrite(index: number, call: Call): Promise<void> {
    for (;;) {
      const running = this.#states[index] === 'running';
      if (running && this.#leader !== index && asksForLeader(call)) throw notLeader(this.#endpoint());
      const leads = this.#leader !== undefined && this.#states[this.#leader] === 'running';
      if (running && leads && this.#quorum) return;
      await this.#change();
    }
  }

  #electAfter(ms: number): void {
    clearTimeout(this.#election);
    if (ms === 0) this.#elect();
    else this.#election = setTimeout(() => this.#elect(), ms);
  }

  #elect(): void {
    const replaceable = this.#leader === undefined || this.#states[this.#leader] !== 'running';
    if (replaceable && this.#quorum) this.#leader = this.#states.indexOf('running');
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = new Cluster(options);
  await cluster.start();
  return cluster;
}
