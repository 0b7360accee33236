/**
 * The one connection on which a process asks for the lead, leads, and listens.
 *
 * The lock that makes a leader belongs to the connection that writes, so a process that lost the lock has no way to
 * write. Needs a connection of its own to Postgres: not through a pooler that shares connections by transaction.
 */
import { Client } from 'pg';
import { PROJECTED_CHANNEL } from './schema';

const CONNECT_TIMEOUT = 5_000;
/** A connection that does not answer a trifle within this time is taken for lost. */
const ANSWER_TIMEOUT = 5_000;

/** A lost row of these is lost with its checkpoint, and folded again; the log itself is durable (decision 0011). */
const SETTINGS = `
set synchronous_commit = off;
set client_min_messages = warning;
set tcp_keepalives_idle = 10;
set tcp_keepalives_interval = 5;
set tcp_keepalives_count = 3;`;

export class Session {
  readonly #client: Client;
  #lost: Error | undefined;
  readonly #onLost = new Set<() => void>();

  private constructor(client: Client) {
    this.#client = client;
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the connection to Postgres was closed')));
  }

  static async open(connectionString: string, onPosition: (position: string) => void): Promise<Session> {
    const client = new Client({
      connectionString,
      application_name: 'quarterdeck projections',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const session = new Session(client);
    client.on('notification', ({ channel, payload }) => {
      if (channel === PROJECTED_CHANNEL && payload) onPosition(payload);
    });
    try {
      await client.connect();
      await client.query(SETTINGS);
      await session.listen(true);
    } catch (error) {
      session.destroy();
      throw error;
    }
    return session;
  }

  async listen(on: boolean): Promise<void> {
    await this.ask(`${on ? 'listen' : 'unlisten'} ${PROJECTED_CHANNEL}`);
  }

  get client(): Client {
    return this.#client;
  }

  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Called once when the connection is lost, at once when it is lost already. @returns how to stop listening */
  onLost(listener: () => void): () => void {
    if (this.#lost) listener();
    else this.#onLost.add(listener);
    return () => this.#onLost.delete(listener);
  }

  /** A query that is answered in time, or the connection is given up: a silent network says nothing of itself. */
  async ask<R extends object>(
    query: string | { name: string; text: string; values: unknown[] },
    timeoutMs = ANSWER_TIMEOUT,
  ): Promise<R[]> {
    const timer = setTimeout(() => this.destroy(new Error('Postgres does not answer')), timeoutMs);
    try {
      return (await this.#client.query<R>(query)).rows;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the connection, and with it the lock. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.destroy(), 1_000);
    if (!this.#lost) await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
    this.destroy();
  }

  destroy(reason = new Error('the connection was given up')): void {
    this.#lose(reason);
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  #lose(error: Error): void {
    if (this.#lost) return;
    this.#lost = error;
    for (const listener of this.#onLost) listener();
    this.#onLost.clear();
  }
}
