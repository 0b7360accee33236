/** One node: the services of the real server, behind a connection that can be cut or frozen. */
import {
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerUnaryCall,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import type gossip from '@eventstore/db-client/generated/gossip_pb.js';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { append, batchAppend, softDelete, tombstone, type AppendContext } from './append-calls';
import { unavailable } from './faults';
import { accessDenied, clusterInfo, unauthenticated, type Member } from './messages';
import { read } from './read-calls';
import { Wire } from './wire';

/** Kestrel's default: the 101st call waits, without an error. */
const OPEN_CALLS = 100;

export interface NodeOptions {
  /** `false`: a server without the call that carries the appends of all callers. */
  batchAppend?: boolean;
  /** PEM texts. Without them it uses no TLS. */
  tls?: { key: string; cert: string };
  /** Required in every call except gossip and features. */
  credentials?: { username: string; password: string };
}

export interface NodeContext extends Omit<AppendContext, 'drop'> {
  /** Rejects if the call requires the leader, and this node is not it. */
  mayRead(call: Pick<ServerUnaryCall<unknown, unknown>, 'metadata'>): void;
  members(): readonly Member[];
}

type Handler = (call: ServerUnaryCall<unknown, unknown>, answer: sendUnaryData<unknown>) => unknown;

export class Node {
  readonly wire = new Wire(() => this.#inside);
  #server: Server | undefined;
  #inside = 0;

  constructor(
    private readonly context: NodeContext,
    private readonly options: NodeOptions,
  ) {}

  async start(): Promise<void> {
    const server = new Server({
      'grpc.max_receive_message_length': 17 * 1024 * 1024,
      'grpc.max_concurrent_streams': OPEN_CALLS,
    });
    const context = { ...this.context, drop: () => this.wire.cut() };
    server.addService(streamsService.StreamsService, {
      append: this.#guarded(append(context)),
      batchAppend: this.#guarded(batchAppend(context)),
      read: this.#guarded(read(context.log, context.faults, context.mayRead)),
      delete: this.#guarded(softDelete(context)),
      tombstone: this.#guarded(tombstone(context)),
    });
    server.addService(featuresService.ServerFeaturesService, {
      getSupportedMethods: this.#refusable(supportedMethods(this.options)),
    });
    server.addService(gossipService.GossipService, {
      read: this.#refusable(
        (
          _call: ServerUnaryCall<unknown, gossip.ClusterInfo>,
          answer: sendUnaryData<gossip.ClusterInfo>,
        ): void => answer(null, clusterInfo(this.context.members())),
      ),
    });
    const { tls } = this.options;
    const credentials = tls
      ? ServerCredentials.createSsl(null, [
          { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) },
        ])
      : ServerCredentials.createInsecure();
    this.#inside = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', credentials, (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    this.#server = server;
    await this.wire.open();
  }

  /** As if the process had been killed; `start` brings it back at the same address. */
  async kill(): Promise<void> {
    this.#server?.forceShutdown();
    this.#server = undefined;
    await this.wire.close();
  }

  #guarded<H>(handler: H): UntypedHandleCall {
    return this.#refusable((call: ServerUnaryCall<unknown, unknown>, answer: sendUnaryData<unknown>) => {
      const { credentials } = this.options;
      const given = call.metadata.get('authorization')[0];
      if (this.context.faults.forbid) return refuse(call, answer, accessDenied());
      if (credentials && given === undefined) return refuse(call, answer, accessDenied());
      const { username, password } = credentials ?? { username: '', password: '' };
      const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      if (credentials && given !== wanted) return refuse(call, answer, unauthenticated());
      return (handler as Handler)(call, answer);
    });
  }

  #refusable<H>(handler: H): UntypedHandleCall {
    const refusable: Handler = (call, answer) => {
      if (this.context.faults.refuse) return refuse(call, answer, unavailable());
      return (handler as Handler)(call, answer);
    };
    return refusable as UntypedHandleCall;
  }
}

/** Calls with a streamed answer have no callback. */
const refuse = (
  call: ServerUnaryCall<unknown, unknown>,
  answer: sendUnaryData<unknown> | undefined,
  error: object,
): void => {
  if (answer) return answer(error);
  call.on('error', () => undefined);
  call.emit('error', error);
};

const supportedMethods =
  (options: NodeOptions) =>
  (
    _call: ServerUnaryCall<unknown, features.SupportedMethods>,
    answer: sendUnaryData<features.SupportedMethods>,
  ): void => {
    const methods = new features.SupportedMethods();
    methods.setEventStoreServerVersion('24.10.0');
    for (const name of ['read', 'append', ...(options.batchAppend === false ? [] : ['batchappend'])]) {
      const method = new features.SupportedMethod();
      method.setServiceName('event_store.client.streams.streams');
      method.setMethodName(name);
      methods.addMethods(method);
    }
    answer(null, methods);
  };
