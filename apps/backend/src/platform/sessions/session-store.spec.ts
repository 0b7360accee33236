/** Changes to a session during a database query about it. covers: AUTH-12 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LastingConnection } from '@quarterdeck/log/store';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { MASTER_KEY } from '../../../../../testing/backend-process';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { readConfig } from '../config/config';
import { createLogger } from '../logging';
import { openResources, type Resources } from '../boot/resources';
import { hashed, SessionStore } from './session-store';
import { tables } from '../../tables';

const fault = (error: unknown): never => {
  throw error;
};

let folder: string;
let postgres: TestPostgres;
let resources: Resources;
let store: SessionStore;
let connection: LastingConnection;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-sessions-'));
  postgres = await startTestPostgres();
  const config = readConfig({ DATA_DIR: folder, DATABASE_URL: postgres.url, MASTER_KEY });
  resources = await openResources({ config, logger: createLogger('error'), tables });
});
beforeEach(() => {
  connection = new LastingConnection({ connectionString: postgres.url }, fault);
});
afterEach(async () => {
  store?.stop();
  await connection.close();
});
afterAll(async () => {
  await resources?.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const opened = (): Promise<string> => {
  const session = { person: uuidv7(), workspace: uuidv7(), workspaceName: 'main', role: 'admin' } as const;
  return resources.sessions.open(session, { via: 'link' });
};

const gate = () => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
};

/** Delays the first answer to a statement with this beginning, like a slow network, until it is released. */
const slow = (pool: Pool, statement: string) => {
  const [answered, kept] = [gate(), gate()];
  let first = true;
  const query = async (text: string, values?: unknown[]): Promise<unknown> => {
    const answer = pool.query(text, values);
    if (!first || !text.startsWith(statement)) return answer;
    first = false;
    await answer.then(answered.open);
    await kept.passed;
    return answer;
  };
  return { pool: { query } as unknown as Pool, answered: answered.passed, letGo: kept.open };
};

test('a sweep ends only sessions that have ended, not those first seen during the sweep', async () => {
  const { pool, answered, letGo } = slow(resources.pool, 'select id from app.sessions');
  store = new SessionStore(pool, connection, fault);
  const [gone, newcomer] = [await opened(), await opened()];
  await store.load(gone);
  await resources.pool.query('delete from app.sessions where id = $1', [hashed(gone)]);
  const ended: string[] = [];
  const told = new Promise<void>((resolve) => store.onRevoked((id) => resolve(void ended.push(id))));
  store.start();
  await connection.start();
  await answered;
  expect(await store.load(newcomer)).toBeDefined();
  letGo();
  await told;
  expect(ended).toEqual([hashed(gone)]);
});

test('a person whose session ends during the look-up is not admitted', async () => {
  const { pool, answered, letGo } = slow(resources.pool, 'select id, person');
  store = new SessionStore(pool, connection, fault);
  const cookie = await opened();
  const loading = store.load(cookie);
  await answered;
  await store.revoke(hashed(cookie));
  letGo();
  expect(await loading).toBeUndefined();
});
