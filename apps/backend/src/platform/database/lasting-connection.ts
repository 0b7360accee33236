/** A connection of its own to Postgres, which comes back by itself when the server does. */
import { Client } from 'pg';

export interface LastingConnectionOptions {
  connectionString: string;
  /** As `pg_stat_activity` shows it. */
  name: string;
  /** Called after each connect, the first included. Where it throws, the connection is made anew. */
  onConnected: (client: Client) => Promise<void>;
  /** A connection that stood is no more. */
  onLost?: () => void;
  onFault: (error: unknown) => void;
}

const RETRY_MS = 500;
/** Silence before a TCP keep-alive is sent. Firewalls drop idle connections without a word. */
const PROBE_MS = 10_000;

export class LastingConnection {
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: LastingConnectionOptions) {}

  async start(): Promise<void> {
    if (this.stopped) return;
    const { connectionString, name, onConnected, onLost, onFault } = this.options;
    const client = new Client({
      connectionString,
      keepAlive: true,
      keepAliveInitialDelayMillis: PROBE_MS,
      application_name: `quarterdeck ${name}`,
    });
    this.client = client;
    let lost = false;
    const again = (error?: unknown): void => {
      if (lost || this.stopped) return;
      lost = true;
      if (error) onFault(error);
      onLost?.();
      void client.end().catch(() => undefined);
      this.retry = setTimeout(() => void this.start(), RETRY_MS);
    };
    client.on('error', again);
    client.on('end', () => again());
    try {
      await client.connect();
      await onConnected(client);
    } catch (error) {
      again(error);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }
}
