/**
 * One connection to one node. A node whose process is frozen, or whose machine is gone, keeps its connections open and
 * silent, and the client's reads have no deadline. So if calls are open and nothing has arrived for a while, the node
 * is pinged. Without an answer the connection is closed, together with every call on it.
 */
import { convertToCommandError, EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService, { type StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent } from '../../codec';
import type { ExpectedRevision } from '../../envelope';
import { AppendCall, appendAlone, type Appended } from './append-call';

/** The longest silence of a node while calls are open. */
const SILENCE_MS = 2_000;
const WATCH_MS = 250;
/** How long a node may take to answer a ping. */
export const ANSWER_MS = 1_000;

/** Members of the client that its types hide. */
interface Internals {
  getGRPCClient<C>(client: unknown, name: string): Promise<C>;
  callArguments(
    options: { requiresLeader?: boolean },
    call?: { deadline: number | Date },
  ): Required<Parameters<StreamsClient['batchAppend']>>;
  supports(method: unknown): Promise<boolean>;
  getChannel(): Promise<{ close(): void }>;
}

type ReadCall = ReturnType<StreamsClient['read']>;

const internals = (client: EventStoreDBClient): Internals => client as unknown as Internals;

export class Connection {
  readonly #client: Internals;
  readonly #open = new Set<(error: unknown) => void>();
  readonly #watch: NodeJS.Timeout;
  #streams: StreamsClient | undefined;
  #gossip: GossipClient | undefined;
  #batch = true;
  #appends: AppendCall | undefined;
  #heard = Date.now();
  #asking = false;
  #lost: { error: unknown } | undefined;

  /**
   * @param url of one node
   * @param onLost called once, when the connection is no longer usable
   */
  constructor(
    readonly url: string,
    private readonly onLost: (connection: Connection) => void = () => undefined,
  ) {
    this.#client = internals(EventStoreDBClient.connectionString(url));
    this.#watch = setInterval(() => void this.#look(), WATCH_MS);
    this.#watch.unref();
  }

  /** Settles when the node has answered; rejects when it did not within `ms`. */
  async ready(ms: number): Promise<this> {
    const client = this.#client;
    const opened = (async () => {
      this.#streams = await client.getGRPCClient<StreamsClient>(streamsService.StreamsClient, 'streams');
      this.#gossip = await client.getGRPCClient<GossipClient>(GossipClient, 'gossip');
      this.#batch = await client.supports(streamsService.StreamsService.batchAppend);
    })();
    try {
      await within(ms, opened);
    } catch (error) {
      this.lose(error);
      throw convertToCommandError(error as Error);
    }
    this.#heard = Date.now();
    return this;
  }

  /** The cluster as this node sees it. */
  members(ms: number): Promise<ClusterInfo> {
    const [metadata, options] = this.#client.callArguments({}, { deadline: Date.now() + ms });
    const answer = new Promise<ClusterInfo>((resolve, reject) => {
      const gossip = this.#gossip;
      if (!gossip) return reject(new Error('the connection is not open'));
      gossip.read(new shared.Empty(), metadata, options, (error, info) =>
        error ? reject(error) : resolve(info),
      );
    });
    return within(ms, answer);
  }

  /**
   * Passes on what the node answers until it ends, or until `take` returns true. The call is then cancelled: an
   * abandoned call would stay open, and a connection allows 100.
   * @param ms the longest silence. A search through events of other programs may take longer.
   */
  read(
    request: streams.ReadReq,
    take: (answer: streams.ReadResp) => boolean | void,
    ms = Infinity,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = this.#read(request);
      const timer =
        ms === Infinity
          ? undefined
          : setTimeout(() => done(new Error(`a read had no answer for ${ms} ms`)), ms);
      const done = (error?: unknown): void => {
        clearTimeout(timer);
        this.#open.delete(done);
        call.cancel();
        if (error === undefined) resolve();
        else reject(convertToCommandError(error as Error) as Error);
      };
      this.#open.add(done);
      call.on('data', (answer: streams.ReadResp) => {
        this.#heard = Date.now();
        timer?.refresh();
        try {
          if (take(answer)) done();
        } catch (error) {
          done(error);
        }
      });
      call.on('error', done);
      call.on('end', () => done());
    });
  }

  /** An endless read. The caller pulls from it, and must leave it. */
  subscribe(request: streams.ReadReq): { call: ReadCall; leave: () => void } {
    const call = this.#read(request);
    const fail = (error: unknown): void => void call.emit('error', error);
    this.#open.add(fail);
    const leave = (): void => {
      this.#open.delete(fail);
      call.cancel();
    };
    return { call, leave };
  }

  /** Called when the subscription has delivered something. */
  heard(): void {
    this.#heard = Date.now();
  }

  append(
    stream: string,
    events: readonly EncodedEvent[],
    expected: ExpectedRevision,
    ms: number,
  ): Promise<Appended> {
    if (this.#lost) return Promise.reject(this.#lost.error as Error);
    const client = this.#streams;
    if (!client) return Promise.reject(new Error('the connection is not open'));
    if (!this.#batch) {
      const [metadata, options] = this.#client.callArguments(
        { requiresLeader: true },
        { deadline: Date.now() + ms },
      );
      return appendAlone((answer) => client.append(metadata, options, answer), [stream, events, expected]);
    }
    if (!this.#appends?.open)
      this.#appends = new AppendCall(
        () => client.batchAppend(...this.#arguments()),
        () => this.heard(),
      );
    return this.#appends.append([stream, events, expected], ms);
  }

  /** Whether concurrent appends are written in the order in which they were sent. */
  get writesInOrder(): boolean {
    return this.#batch;
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  /** Ends every call on the connection. */
  lose(error: unknown): void {
    if (this.#lost) return;
    this.#lost = { error };
    clearInterval(this.#watch);
    for (const fail of Array.from(this.#open)) fail(error);
    this.#appends?.end(error);
    void this.#client
      .getChannel()
      .then((channel) => channel.close())
      .catch(() => undefined);
    this.onLost(this);
  }

  #arguments(): ReturnType<Internals['callArguments']> {
    return this.#client.callArguments({ requiresLeader: true }, { deadline: Infinity });
  }

  #read(request: streams.ReadReq): ReadCall {
    if (this.#lost) throw this.#lost.error;
    if (!this.#streams) throw new Error('the connection is not open');
    return this.#streams.read(request, ...this.#arguments());
  }

  async #look(): Promise<void> {
    const open = this.#open.size > 0 || (this.#appends?.waiting ?? 0) > 0;
    if (!open) this.#heard = Date.now();
    if (this.#asking || Date.now() - this.#heard < SILENCE_MS) return;
    this.#asking = true;
    try {
      await this.members(ANSWER_MS);
      this.#heard = Date.now();
    } catch (error) {
      this.lose(new UnavailableError(undefined, `the node does not answer: ${(error as Error).message}`));
    } finally {
      this.#asking = false;
    }
  }
}

export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer for ${ms} ms`)), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
