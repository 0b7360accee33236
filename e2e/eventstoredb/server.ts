/**
 * A server that speaks EventStoreDB's protocol over gRPC, from the service definitions inside the client's package, and
 * keeps its log in memory. It proves the wire and our adapter, faults included; it does not prove the real server.
 */
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { append, batchAppend } from './append-calls';
import { EventLog } from './event-log';
import { noFaults, unavailable, type Faults } from './faults';
import { read } from './read-calls';

export interface EventStoreDbServer {
  url: string;
  log: EventLog;
  faults: Faults;
  /** Cuts every connection and goes on listening. */
  drop(): Promise<void>;
  /** Cuts every connection and lets none in; the log stays. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export async function startEventStoreDb(
  options: { batchAppend?: boolean } = {},
): Promise<EventStoreDbServer> {
  const log = new EventLog();
  const faults = noFaults();
  let port = 0;
  let server: Server | undefined;

  const listen = async (): Promise<void> => {
    const started = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
    const context = { log, faults, drop: () => void drop() };
    started.addService(streamsService.StreamsService, {
      append: append(context),
      batchAppend: batchAppend(context),
      read: read(log, faults),
    });
    started.addService(featuresService.ServerFeaturesService, {
      getSupportedMethods: supportedMethods(faults, options),
    });
    port = await new Promise<number>((resolve, reject) =>
      started.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    server = started;
  };
  const halt = async (): Promise<void> => {
    server?.forceShutdown();
    server = undefined;
  };
  const drop = async (): Promise<void> => {
    await halt();
    await listen();
  };

  await listen();
  return { url: `esdb://127.0.0.1:${port}?tls=false`, log, faults, drop, halt, resume: listen, stop: halt };
}

const supportedMethods =
  (faults: Faults, options: { batchAppend?: boolean }) =>
  (
    _call: ServerUnaryCall<unknown, features.SupportedMethods>,
    answer: sendUnaryData<features.SupportedMethods>,
  ): void => {
    if (faults.refuse) return answer(unavailable());
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
