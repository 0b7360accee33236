/**
 * Pushes that are not events: current figures that clients who connect later do not need. Sent by one process, they
 * reach the sockets of all processes. They are not stored.
 */
import type { Role } from '@quarterdeck/events';
import { type LastingConnection, listening } from '@quarterdeck/log/store';
import type { Pool } from 'pg';

const CHANNEL = 'live';
/** A Postgres notification carries less than 8000 bytes. */
export const MAX_LIVE_BYTES = 7500;

export interface LiveMessage {
  workspace: string;
  /** The lowest role that receives it. */
  audience: Role;
  /** Name of the message on the socket. */
  name: string;
  body: object;
}

export class LiveMessages {
  private readonly listeners = new Set<(message: LiveMessage) => void>();

  constructor(
    private readonly pool: Pool,
    connection: Pick<LastingConnection, 'use'>,
  ) {
    const heard = (payload: string): void => this.heard(JSON.parse(payload) as LiveMessage);
    // Missed messages are outdated, and the next figures will follow.
    connection.use(listening(CHANNEL, heard, () => undefined));
  }

  /** @throws RangeError if a message is too long */
  async send(messages: readonly LiveMessage[]): Promise<void> {
    const payloads = messages.map((message) => JSON.stringify(message));
    if (payloads.some((payload) => Buffer.byteLength(payload) > MAX_LIVE_BYTES))
      throw new RangeError('a live message is too long');
    if (payloads.length === 0) return;
    await this.pool.query('select pg_notify($1, payload) from unnest($2::text[]) payload', [
      CHANNEL,
      payloads,
    ]);
  }

  onMessage(listener: (message: LiveMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private heard(message: LiveMessage): void {
    for (const listener of this.listeners) listener(message);
  }
}
