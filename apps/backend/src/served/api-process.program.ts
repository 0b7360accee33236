/** The life of a served API's process: begin, define as often as something changes, stop. */
import type { Server } from 'node:http';
import { isTrustedProxy } from '../platform/caller-address';
import { Guests } from '../platform/guests';
import { Accounts } from './child/accounts';
import { ApiServer, type ServerParts } from './child/api-server';
import { Connections } from './child/connections';
import { Counter } from './child/counts';
import { definitionOf } from './child/definition';
import { KeptDefinitions } from './child/kept-definitions';
import { OwnPort } from './child/own-port';
import { replay } from './child/replay';
import { runEndpoint } from './child/run';
import { SharedQuestions } from './child/shared-questions';
import type { ApiDescription, Beginning, ReplayAsked, ToChild, ToConsole } from './messages';

const COUNTS_MS = 1000;
const MAX_FAULT = 2000;
/** After the console asked it to stop. */
const STOP_MS = 10_000;

const tellConsole = (message: ToConsole): void => {
  // A console that has gone does not listen any more, and this process ends with it.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
};

export const faultOf = (error: unknown, endpoint?: string): ToConsole => ({
  is: 'fault',
  endpoint,
  message: (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, MAX_FAULT),
});

/** For an API without a console in front of it. */
export interface AloneParts extends Pick<ServerParts, 'isTrustedProxy'> {
  /** Path of the answer about its health: whether it reaches its database. */
  readonly healthPath?: string | undefined;
  /** Called with the first failure to reach the database after it was reached. */
  readonly onAway?: (error: unknown) => void;
}

export class ServedApi {
  readonly guests = new Guests();
  private readonly counter = new Counter();
  private readonly kept = new KeptDefinitions();
  readonly connections: Connections;
  readonly reads: SharedQuestions;
  readonly inserts: SharedQuestions;
  private readonly server: ApiServer;
  private readonly port: OwnPort;
  private readonly telling = setInterval(() => this.tellCounts(), COUNTS_MS);
  /** One definition is compiled after the other. */
  private defining: Promise<void> = Promise.resolve();

  constructor(
    { database, limits, calls }: Pick<Beginning, 'database' | 'limits' | 'calls'>,
    private readonly tell: (message: ToConsole) => void,
    { healthPath, isTrustedProxy, onAway }: AloneParts = {},
  ) {
    this.connections = new Connections(database, limits, onAway);
    this.reads = new SharedQuestions(this.connections, true);
    this.inserts = new SharedQuestions(this.connections, false);
    this.server = new ApiServer({
      accounts: new Accounts(
        this.connections,
        (asked) => tell({ is: 'reset', ...asked }),
        (error) => tell(faultOf(error)),
        calls && (async () => (await import('./child/service-calls')).serviceCalls(calls)),
      ),
      counter: this.counter,
      kept: this.kept,
      onFault: (error, endpoint) => tell(faultOf(error, endpoint)),
      run: (definition, endpoint, asked) => runEndpoint(this, definition, endpoint, asked),
      isTrustedProxy,
      ...(healthPath !== undefined && {
        health: { path: healthPath, check: () => this.connections.use(({ ask }) => ask('select 1')) },
      }),
    });
    this.port = new OwnPort(this.server, (listens, problem) => tell({ is: 'port', listens, problem }));
  }

  /** While its definition is compiled. */
  connect(): void {
    this.connections.warm();
  }

  /** @param at a path of a Unix socket, or a port */
  listen(at: { path: string } | { host: string; port: number }): Promise<Server> {
    return this.server.listen(at);
  }

  /** Ends when its requests are answered by it. */
  define(description: ApiDescription): Promise<void> {
    this.defining = this.defining
      .then(async () => {
        const began = performance.now();
        const definition = await definitionOf(description, this.connections.dialect, this.guests, {
          before: this.server.present,
        });
        this.server.serve(definition);
        await this.port.set(description.listens);
        const { position, problems } = definition;
        this.tell({ is: 'defined', position, problems, ms: Math.round(performance.now() - began) });
      })
      .catch((error: unknown) => this.tell(faultOf(error)));
    return this.defining;
  }

  keep(key: string, description: ApiDescription): void {
    this.kept
      .add(key, () => definitionOf(description, this.connections.dialect, this.guests, { isAside: true }))
      .catch((error: unknown) => this.tell(faultOf(error)))
      .finally(() => this.tell({ is: 'kept', key }));
  }

  replay(key: string, asked: ReplayAsked): void {
    const { connections, guests, tell } = this;
    const onFault = (error: unknown, endpoint?: string): void => tell(faultOf(error, endpoint));
    replay({ connections, guests, onFault }, asked).then(
      (replayed) => tell({ is: 'replayed', key, replayed }),
      (error: unknown) => {
        onFault(error);
        tell({ is: 'replayed', key });
      },
    );
  }

  async stop(): Promise<void> {
    this.port.end();
    await this.server.close();
    clearInterval(this.telling);
    this.tellCounts();
    await Promise.all([this.connections.close(), this.guests.close()]);
  }

  private tellCounts(): void {
    const batch = this.counter.take();
    if (batch) this.tell({ is: 'counts', ...batch });
  }
}

const begin = async (api: ServedApi, socket: string): Promise<void> => {
  api.connect();
  await api.listen({ path: socket });
  tellConsole({ is: 'listening' });
};

export const serveApi = (): void => {
  let api: ServedApi | undefined;
  const end = (error: unknown): void => {
    tellConsole(faultOf(error));
    setImmediate(() => process.exit(1)); // Its state is unknown. The console begins another process.
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
  process.on('disconnect', () => process.exit(0)); // Without the console nobody can reach it.
  process.on('message', (message: ToChild) => {
    if (message.is === 'begin') {
      const isTrusted = isTrustedProxy({ TRUSTED_PROXIES: message.proxies ?? [] });
      api = new ServedApi(message, tellConsole, { isTrustedProxy: isTrusted });
      begin(api, message.socket).catch(end);
    } else if (message.is === 'define') void api?.define(message.description);
    else if (message.is === 'keep') api?.keep(message.key, message.description);
    else if (message.is === 'replay') api?.replay(message.key, message);
    else {
      setTimeout(() => process.exit(0), STOP_MS).unref();
      void api?.stop().finally(() => process.exit(0));
    }
  });
};
