/**
 * Who was given another role is told what that role is told: his sockets are closed, and the console comes back in the
 * new one. At once when the event comes by, and by a sweep at intervals in case it did not. Who was removed is told
 * nothing more.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamParts, type RecordedEvent, type Role } from '@quarterdeck/events';
import type { Server, Socket } from 'socket.io';
import type { Session, Sessions } from '../sessions';
import type { Pool } from '../tokens';

const SWEEP_MS = 15_000;
/** The event is recorded before the sessions are changed; by the end of this they are, or the sweep finds them. */
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
    // One for each person whose role was changed in the last seconds.
    setMaxListeners(0, this.stopped.signal);
  }

  start(): void {
    this.sweeping = setInterval(() => void this.move([...this.sockets().values()]), SWEEP_MS).unref();
  }

  stop(): void {
    clearInterval(this.sweeping);
    this.stopped.abort();
  }

  /** Told of every event. */
  seen(events: readonly RecordedEvent[]): void {
    for (const { type, stream, data } of events) {
      if (type === 'PersonRoleChanged')
        void this.changed(streamParts(stream).id, (data as { role: Role }).role);
      if (type === 'PersonRemoved') this.dismiss(streamParts(stream).id);
    }
  }

  /** In the same turn, so that not even what happened right behind it is told. Nobody is let in again without a session. */
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
      // Looked at to the end: one that has come back meanwhile may have been let in with what it was before.
      const his = [...this.sockets().values()].filter((socket) => {
        const session = sessionOf(socket);
        return session.person === person && session.role !== role;
      });
      await this.move(his);
    }
  }

  /** What counts is the role of the session as it is kept, not what an event of some time ago said. */
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
    // Another process changed it: without this he would be let in with what is remembered here.
    this.sessions.forget(session.id);
    // The console fetches everything anew in its new role.
    Object.assign(socket.data as object, { session: { ...session, role } });
    socket.disconnect(true);
  }
}
