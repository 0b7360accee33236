/** The life of a served API's process: begin, define as often as something changes, stop. */
import { Guests } from '../platform/guests';
import { Accounts } from './child/accounts';
import { ApiServer } from './child/api-server';
import { Connections } from './child/connections';
import { Counter } from './child/counts';
import { definitionOf } from './child/definition';
import { KeptDefinitions } from './child/kept-definitions';
import { replay } from './child/replay';
import { runEndpoint } from './child/run';
import type { ApiDescription, Beginning, ReplayAsked, ToChild, ToConsole } from './messages';

const COUNTS_MS = 1000;
const MAX_FAULT = 2000;
/** After the console asked it to stop. */
const STOP_MS = 10_000;

const tell = (message: ToConsole): void => {
  // A console that has gone does not listen any more, and this process ends with it.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
};

const tellFault = (error: unknown, endpoint?: string): void =>
  tell({
    is: 'fault',
    endpoint,
    message: (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, MAX_FAULT),
  });

class ServedApi {
  private readonly guests = new Guests();
  private readonly counter = new Counter();
  private readonly kept = new KeptDefinitions();
  private readonly connections: Connections;
  private readonly server: ApiServer;
  private readonly telling = setInterval(() => this.tellCounts(), COUNTS_MS);
  /** One definition is compiled after the other. */
  private defining: Promise<void> = Promise.resolve();

  constructor({ database, limits }: Beginning) {
    this.connections = new Connections(database, limits);
    this.server = new ApiServer({
      accounts: new Accounts(this.connections),
      counter: this.counter,
      kept: this.kept,
      onFault: tellFault,
      run: (definition, endpoint, asked) =>
        runEndpoint({ connections: this.connections, guests: this.guests }, definition, endpoint, asked),
    });
  }

  async listen({ socket, port }: Beginning): Promise<void> {
    await this.server.listen({ path: socket });
    if (port) await this.server.listen(port);
    tell({ is: 'listening' });
  }

  define(description: ApiDescription): void {
    this.defining = this.defining
      .then(async () => {
        const began = performance.now();
        const definition = await definitionOf(description, this.connections.dialect, this.guests);
        this.server.serve(definition);
        const { position, problems } = definition;
        tell({ is: 'defined', position, problems, ms: Math.round(performance.now() - began) });
      })
      .catch((error: unknown) => tellFault(error));
  }

  keep(key: string, description: ApiDescription): void {
    this.kept
      .add(key, () => definitionOf(description, this.connections.dialect, this.guests, true))
      .catch((error: unknown) => tellFault(error))
      .finally(() => tell({ is: 'kept', key }));
  }

  replay(key: string, asked: ReplayAsked): void {
    const { connections, guests } = this;
    replay({ connections, guests, onFault: tellFault }, asked).then(
      (replayed) => tell({ is: 'replayed', key, replayed }),
      (error: unknown) => {
        tellFault(error);
        tell({ is: 'replayed', key });
      },
    );
  }

  async stop(): Promise<void> {
    await this.server.close();
    clearInterval(this.telling);
    this.tellCounts();
    await Promise.all([this.connections.close(), this.guests.close()]);
  }

  private tellCounts(): void {
    const batch = this.counter.take();
    if (batch) tell({ is: 'counts', ...batch });
  }
}

export const serveApi = (): void => {
  let api: ServedApi | undefined;
  const end = (error: unknown): void => {
    tellFault(error);
    // The console begins another process.
    setImmediate(() => process.exit(1));
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (message: ToChild) => {
    if (message.is === 'begin') {
      api = new ServedApi(message);
      api.listen(message).catch(end);
    } else if (message.is === 'define') api?.define(message.description);
    else if (message.is === 'keep') api?.keep(message.key, message.description);
    else if (message.is === 'replay') api?.replay(message.key, message);
    else {
      setTimeout(() => process.exit(0), STOP_MS).unref();
      void api?.stop().finally(() => process.exit(0));
    }
  });
};
