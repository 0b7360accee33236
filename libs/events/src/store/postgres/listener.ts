import { Client, type ClientConfig } from 'pg';
import { keepUp } from '../backoff';

export interface ListenerEvents {
  /** Somebody wrote: up to which position, and which process of the server did it. */
  onAppended(position: number, process: number): void;
  /** Listening again after a silence in which anything may have been missed. */
  onListening(): void;
  onFault(error: unknown): void;
}

/** LISTEN on a connection of its own, armed again for as long as it is not closed. */
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

  /** Returns or throws when the connection is gone. */
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
      // Closed while it connects, it never says so to whoever waits for the connection.
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
