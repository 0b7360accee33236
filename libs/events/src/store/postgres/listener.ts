import { Client, type ClientConfig } from 'pg';
import { keepUp } from '../backoff';

export interface ListenerEvents {
  /** Another writer appended events up to this position. `process` is its database process. */
  onAppended(position: number, process: number): void;
  /** The connection listens again. Notifications may have been missed before. */
  onListening(): void;
  onFault(error: unknown): void;
}

/** LISTEN on a dedicated connection, restored whenever it breaks, until it is closed. */
export class Listener {
  readonly #stopped = new AbortController();
  #client: Client | undefined;
  #loop: Promise<void> | undefined;

  constructor(
    private readonly config: ClientConfig,
    private readonly events: ListenerEvents,
  ) {}

  start(): void {
    this.#loop ??= keepUp(
      this.#stopped.signal,
      (works) => this.#listen(works),
      (error) => this.events.onFault(error),
    );
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#loop;
  }

  /** Returns or throws when the connection ends. */
  async #listen(onListening: () => void): Promise<void> {
    const client = new Client(this.config);
    const gone = new Promise<void>((resolve, reject) => {
      client.on('error', reject);
      client.on('end', resolve);
    });
    gone.catch(() => undefined);
    this.#client = client;
    client.on('notification', ({ payload, processId }) => this.events.onAppended(Number(payload), processId));
    try {
      // If the client is closed while it connects, `connect` never settles.
      await Promise.race([client.connect(), gone]);
      if (this.#stopped.signal.aborted) return;
      await client.query('listen log_appended');
      onListening();
      this.events.onListening();
      await gone;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
