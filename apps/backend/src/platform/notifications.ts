/** One connection that listens to Postgres, and comes back by itself when the server does. */
import { Client } from 'pg';

export interface NotificationOptions {
  connectionString: string;
  channel: string;
  onMessage: (payload: string) => void;
  /** Called after each connect, the first included: what was said while nobody listened has to be looked up. */
  onListening: () => void;
  onFault: (error: unknown) => void;
}

const RETRY_MS = 500;
/** After so much silence it shows that it lives: what stands on the way forgets idle connections, and tells nobody. */
const PROBE_MS = 10_000;

export class Notifications {
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: NotificationOptions) {}

  async start(): Promise<void> {
    if (this.stopped) return;
    const { connectionString, channel, onMessage, onListening, onFault } = this.options;
    const client = new Client({
      connectionString,
      keepAlive: true,
      keepAliveInitialDelayMillis: PROBE_MS,
      application_name: `quarterdeck ${channel}`,
    });
    this.client = client;
    let lost = false;
    const again = (error?: unknown): void => {
      if (lost || this.stopped) return;
      lost = true;
      if (error) onFault(error);
      void client.end().catch(() => undefined);
      this.retry = setTimeout(() => void this.start(), RETRY_MS);
    };
    client.on('error', again);
    client.on('end', () => again());
    client.on('notification', (message) => onMessage(message.payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onListening();
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
