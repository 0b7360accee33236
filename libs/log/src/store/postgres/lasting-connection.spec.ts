import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { LastingConnection, listening } from './lasting-connection';

let postgres: TestPostgres;
let client: Client;

beforeAll(async () => {
  postgres = await startTestPostgres();
  client = new Client({ connectionString: postgres.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await postgres?.stop();
});

const fault = (error: unknown): never => {
  throw error;
};

/** Seconds until the kernel sends a keep-alive probe; undefined while another timer is running. */
const secondsToProbe = (port: number): number | undefined => {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n');
  const fields = sockets.map((line) => line.trim().split(/\s+/)).find(([, at = '']) => at.endsWith(local));
  const [timer = '', when = ''] = fields?.[5]?.split(':') ?? [];
  return timer === '02' ? Number.parseInt(when, 16) / 100 : undefined;
};

test('a connection that only listens sends keep-alives before anything on its way forgets it', async () => {
  let onListening = (): void => undefined;
  const heard = new Promise<void>((resolve) => (onListening = resolve));
  const connection = new LastingConnection(
    { connectionString: postgres.url, application_name: 'harbour' },
    fault,
  ).use(listening('harbour', () => undefined, onListening));
  await connection.start();
  await heard;
  const { rows } = await client.query<{ port: number }>(
    `select client_port as port from pg_stat_activity where application_name = 'harbour'
     and datname = current_database()`,
  );
  let seconds: number | undefined;
  while ((seconds = secondsToProbe(rows[0]?.port ?? 0)) === undefined) await sleep(20);
  await connection.close();
  expect(seconds).toBeLessThanOrEqual(30);
});

test('every use hears its own channel, and learns of each loss and return of the connection', async () => {
  const heard: string[] = [];
  const faults: unknown[] = [];
  const connection = new LastingConnection(
    { connectionString: postgres.url, application_name: 'uses' },
    (error) => void faults.push(error),
  );
  for (const name of ['one', 'two'])
    connection.use(
      listening(
        name,
        (text) => heard.push(`${name}: ${text}`),
        () => heard.push(`${name} up`),
      ),
    );
  connection.use({ onConnected: () => Promise.resolve(), onLost: () => heard.push('lost') });
  await connection.start();
  await client.query(`select pg_notify('two', 'tea'), pg_notify('three', 'nobody')`);
  while (heard.length < 3) await sleep(5);
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'uses'`,
  );
  while (heard.length < 6) await sleep(5);
  await client.query(`select pg_notify('one', 'coffee')`);
  while (heard.length < 7) await sleep(5);
  await connection.close();
  expect(heard).toEqual(['one up', 'two up', 'two: tea', 'lost', 'one up', 'two up', 'one: coffee']);
  expect(faults).toHaveLength(1);
});

test('a start resolves even if Postgres does not answer, and a close ends it', async () => {
  const faults: unknown[] = [];
  const connection = new LastingConnection(
    { connectionString: 'postgres://nobody@127.0.0.1:1/none' },
    (error) => void faults.push(error),
  );
  await connection.start();
  await connection.close();
  expect(faults).toHaveLength(1);
});

test('a server that closes each connection while it is being made is tried again, and can be left', async () => {
  const closing = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
  const { port } = closing.address() as AddressInfo;
  const faults: unknown[] = [];
  const connection = new LastingConnection(
    { host: '127.0.0.1', port },
    (error) => void faults.push(error),
  ).use(listening('harbour', () => undefined, fault.bind(undefined, 'it is not up')));
  await connection.start();
  while (faults.length < 2) await sleep(5);
  await connection.close();
  closing.close();
});
