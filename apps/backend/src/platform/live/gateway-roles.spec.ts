// covers: SHELL-09
import { START } from '@quarterdeck/events';
import { LastingConnection } from '@quarterdeck/log/store';
import type { Socket } from 'socket.io';
import { startBackend, type RunningBackend } from '../../../../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { SocketRoles } from './gateway-roles';
import { SESSION_COOKIE, SessionStore } from '../sessions/session-store';

const email = 'mia@example.org';
const fault = (error: unknown): never => {
  throw error;
};

let postgres: TestPostgres;
let backend: RunningBackend;

beforeAll(async () => {
  postgres = await startTestPostgres();
  backend = await startBackend({ databaseUrl: postgres.url });
});
afterAll(async () => {
  await backend?.close();
  await postgres?.stop();
});

test("a socket that is closed for a new role gets that role when it reconnects, even before this process hears of the session's change", async () => {
  const { cookie } = await backend.signIn({ email, role: 'member' });
  const value = cookie.replace(`${SESSION_COOKIE}=`, '');
  // Not started, so it hears nothing from the other process.
  const unstarted = new LastingConnection({ connectionString: postgres.url }, fault);
  const sessions = new SessionStore(backend.db, unstarted, fault);
  const session = await sessions.load(value);
  await backend.signInLink({ email, role: 'admin' });
  expect([session?.role, (await sessions.load(value))?.role]).toEqual(['member', 'member']);

  const letIn = await new Promise((resolve) => {
    const data = { session };
    // Like the console, it reconnects at once.
    const disconnect = (): void => resolve(sessions.load(value));
    const sockets = new Map([['one', { data, disconnect } as unknown as Socket]]);
    const roles = new SocketRoles(backend.db, () => sockets, fault, sessions);
    void backend.resources.store.readAll(START, { limit: 1000 }).then((events) => roles.seen(events));
  });
  expect(letIn).toMatchObject({ id: session?.id, role: 'admin' });
});
