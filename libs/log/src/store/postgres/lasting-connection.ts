import { Client, type ClientConfig } from 'pg';
import { keepUp } from '../../backoff';

/** Callbacks of one user of the connection. */
export interface ConnectionUse {
  /** Called after each connect, including the first. If it throws, the connection is made again. */
  onConnected(client: Client): Promise<void>;
  /** Called when an established connection is lost. */
  onLost?(): void;
}

/** @param onMessage also gets the database process that sent the message */
export const listening = (
  channel: string,
  onMessage: (payload: string, process: number) => void,
  /** Called after each connect: notifications that were missed have to be looked up. */
  onListening: () => void,
): ConnectionUse => ({
  onConnected: async (client) => {
    client.on('notification', (message) => {
      if (message.channel === channel) onMessage(message.payload ?? '', message.processId);
    });
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    onListening();
  },
});

/** Idle time before a TCP keep-alive is sent. Firewalls silently drop idle connections. */
const PROBE_MS = 10_000;

/** A dedicated connection to Postgres that is made again whenever it breaks, until it is closed. */
export class LastingConnection {
  readonly #closed = new AbortController();
  readonly #uses: ConnectionUse[] = [];
  #client: Client | undefined;
  #started: Promise<void> | undefined;
  #loop: Promise<void> | undefined;

  constructor(
    private readonly config: ClientConfig,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Must be called before `start`. */
  use(use: ConnectionUse): this {
    this.#uses.push(use);
    return this;
  }

  /** Resolves after the first attempt, whether it succeeded or not. */
  start(): Promise<void> {
    return (this.#started ??= new Promise<void>((attempted) => {
      this.#loop = keepUp(
        this.#closed.signal,
        (works) =>
          this.#hold(() => {
            works();
            attempted();
          }),
        (error) => {
          attempted();
          this.onFault(error);
        },
      );
      void this.#loop.then(attempted);
    }));
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#loop;
  }

  /** Returns or throws when the connection ends. */
  async #hold(onUp: () => void): Promise<void> {
    const client = new Client({
      application_name: 'quarterdeck connection',
      ...this.config,
      keepAlive: true,
      keepAliveInitialDelayMillis: PROBE_MS,
    });
    const gone = new Promise<void>((resolve, reject) => {
      client.on('error', reject);
      client.on('end', resolve);
    });
    gone.catch(() => undefined);
    this.#client = client;
    try {
      // If the client is closed while it connects, `connect` never settles. A client that has ended must not be used: it
      // would keep a query for ever.
      const ended = gone.then(() =>
        Promise.reject(new Error('the connection ended while it was being made')),
      );
      await Promise.race([client.connect(), ended]);
      for (const { onConnected } of this.#uses) await onConnected(client);
      onUp();
      await gone;
    } finally {
      if (!this.#closed.signal.aborted) for (const { onLost } of this.#uses) onLost?.();
      await client.end().catch(() => undefined);
    }
  }
}
