/** A dedicated connection to Postgres that is restored when the server is back. */
import { Client } from 'pg';

export interface LastingConnectionOptions {
  connectionString: string;
  /** As shown in `pg_stat_activity`. */
  name: string;
  /** Called after each connect, including the first. If it throws, the connection is made again. */
  onConnected: (client: Client) => Promise<void>;
  /** Called when an established connection is lost. */
  onLost?: () => void;
  onFault: (error: unknown) => void;
}

const RETRY_MS = 500;
/** Idle time before a TCP keep-alive is sent. Firewalls silently drop idle connections. */
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
