/**
 * The one connection on which a process asks for the lead, leads, and listens.
 *
 * The lock of the leader belongs to the connection that writes, so a process that loses the lock cannot write any more.
 * This needs a dedicated connection to Postgres, not one through a pooler that shares connections by transaction.
 */
import { Others } from '@quarterdeck/log/store';
import { Client } from 'pg';
import type { LaneName } from './lanes';
import { PROJECTED_CHANNEL, PROJECTED_LATER_CHANNEL, tellPosition } from './schema';

const CONNECT_TIMEOUT = 5_000;
/** A connection that does not answer a trivial query within this time counts as lost. */
const ANSWER_TIMEOUT = 5_000;

/**
 * Asynchronous commits are safe here: a lost row is lost together with its checkpoint and folded again. The log itself
 * is durable (decision 0011).
 */
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
  readonly #others = new Others(
    PROJECTED_CHANNEL,
    () => void this.alone(() => this.ask(tellPosition)).catch(() => undefined),
  );
  #last: Promise<unknown> = Promise.resolve();

  private constructor(client: Client) {
    this.#client = client;
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the connection to Postgres was closed')));
  }

  static async open(
    connectionString: string,
    onPosition: (lane: LaneName, position: string) => void,
  ): Promise<Session> {
    const client = new Client({
      connectionString,
      application_name: 'quarterdeck projections',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const session = new Session(client);
    client.on('notification', ({ channel, payload }) => {
      if (channel === PROJECTED_CHANNEL && payload) onPosition('now', payload);
      if (channel === PROJECTED_LATER_CHANNEL && payload) onPosition('later', payload);
    });
    try {
      await client.connect();
      await client.query(SETTINGS);
      await session.listen(true);
      await session.#others.join(client);
    } catch (error) {
      session.destroy();
      throw error;
    }
    return session;
  }

  async listen(on: boolean): Promise<void> {
    const word = on ? 'listen' : 'unlisten';
    await this.ask(`${word} ${PROJECTED_CHANNEL}; ${word} ${PROJECTED_LATER_CHANNEL}`);
  }

  /** Whether another process has to be told when the read models advance. */
  get tells(): boolean {
    return this.#others.listen;
  }

  get client(): Client {
    return this.#client;
  }

  get lost(): Error | undefined {
    return this.#lost;
  }

  /**
   * Calls the listener once when the connection is lost, or at once if it is lost already. @returns a function that
   * removes the listener
   */
  onLost(listener: () => void): () => void {
    if (this.#lost) listener();
    else this.#onLost.add(listener);
    return () => this.#onLost.delete(listener);
  }

  /** Runs one after the other what must not get into the transaction of somebody else. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Closes the connection if the query is not answered in time, because a dead network raises no error. */
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

  /** Closes the connection, which releases the lock. */
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
    this.#others.leave();
    for (const listener of this.#onLost) listener();
    this.#onLost.clear();
  }
}
