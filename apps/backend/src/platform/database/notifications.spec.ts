import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startTestPostgres, type TestPostgres } from '../../../../../e2e/peers/postgres';
import { Notifications } from './notifications';

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
  let listening = (): void => undefined;
  const heard = new Promise<void>((resolve) => (listening = resolve));
  const options = { connectionString: postgres.url, channel: 'harbour', onMessage: () => undefined };
  const notifications = new Notifications({ ...options, onListening: listening, onFault: fault });
  await notifications.start();
  await heard;
  const { rows } = await client.query<{ port: number }>(
    `select client_port as port from pg_stat_activity where application_name = 'quarterdeck harbour'
     and datname = current_database()`,
  );
  let seconds: number | undefined;
  while ((seconds = secondsToProbe(rows[0]?.port ?? 0)) === undefined) await sleep(20);
  await notifications.stop();
  expect(seconds).toBeLessThanOrEqual(30);
});
