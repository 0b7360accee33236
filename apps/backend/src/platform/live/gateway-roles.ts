/**
 * Gives the sockets of a person with a new role the pushes of that role: they are closed, and the console reconnects
 * with the new role. This happens at once after the event, and in a periodic sweep in case the event was missed.
 * Removed people get no pushes any more.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamParts, type RecordedEvent, type Role } from '@quarterdeck/events';
import type { Server, Socket } from 'socket.io';
import type { Session, Sessions } from '../sessions';
import type { Pool } from '../tokens';

const SWEEP_MS = 15_000;
/**
 * The event is recorded before the sessions are changed. They are checked after these delays. The sweep finds later
 * changes.
 */
const LOOKS_MS = [0, 20, 50, 100, 250, 500, 1000, 2000];

const sessionOf = (socket: Socket): Session => (socket.data as { session: Session }).session;

export class SocketRoles {
  private sweeping: NodeJS.Timeout | undefined;
  private readonly stopped = new AbortController();

  constructor(
    private readonly db: Pool,
    private readonly sockets: () => Server['sockets']['sockets'],
    private readonly onFault: (error: unknown) => void,
    private readonly sessions: Pick<Sessions, 'dismiss' | 'forget'>,
  ) {
    // One listener per person whose role has just changed.
    setMaxListeners(0, this.stopped.signal);
  }

  start(): void {
    this.sweeping = setInterval(() => void this.move([...this.sockets().values()]), SWEEP_MS).unref();
  }

  stop(): void {
    clearInterval(this.sweeping);
    this.stopped.abort();
  }

  /** Called with every event. */
  seen(events: readonly RecordedEvent[]): void {
    for (const { type, stream, data } of events) {
      if (type === 'PersonRoleChanged')
        void this.changed(streamParts(stream).id, (data as { role: Role }).role);
      if (type === 'PersonRemoved') this.dismiss(streamParts(stream).id);
    }
  }

  /** Synchronous, so that not even the next event is pushed. Nobody can reconnect without a session. */
  private dismiss(person: string): void {
    this.sessions.dismiss(person);
    for (const socket of this.sockets().values())
      if (sessionOf(socket).person === person) {
        socket.emit('session-ended');
        socket.disconnect(true);
      }
  }

  private async changed(person: string, role: Role): Promise<void> {
    for (const wait of LOOKS_MS) {
      const aborted = await sleep(wait, false, { signal: this.stopped.signal, ref: false }).catch(() => true);
      if (aborted) return;
      // Checks all sockets to the end: one that reconnected meanwhile may still have the old role.
      const theirs = [...this.sockets().values()].filter((socket) => {
        const session = sessionOf(socket);
        return session.person === person && session.role !== role;
      });
      await this.move(theirs);
    }
  }

  /** The stored role of the session counts, not the role in an earlier event. */
  private async move(sockets: readonly Socket[]): Promise<void> {
    if (sockets.length === 0) return;
    try {
      const ids = [...new Set(sockets.map((socket) => sessionOf(socket).id))];
      const { rows } = await this.db.query<{ id: string; role: Role }>(
        'select id, role from app.sessions where id = any($1)',
        [ids],
      );
      const roles = new Map(rows.map(({ id, role }) => [id, role]));
      for (const socket of sockets) this.moveTo(socket, roles.get(sessionOf(socket).id));
    } catch (error) {
      this.onFault(error);
    }
  }

  private moveTo(socket: Socket, role: Role | undefined): void {
    const session = sessionOf(socket);
    if (!role || role === session.role) return;
    // Another process changed it. Otherwise the person would reconnect with the role remembered here.
    this.sessions.forget(session.id);
    // The console fetches everything again with its new role.
    Object.assign(socket.data as object, { session: { ...session, role } });
    socket.disconnect(true);
  }
}
