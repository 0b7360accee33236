/**
 * What figures cross is one alert and one message, however often the process ends: the next one takes up the samples and
 * the log. covers: OPS-01
 */
import type { AlertMessageView, AlertView, TriedRule } from '@quarterdeck/projections';
import { Client } from 'pg';
import { fieldsOf, startAlertVendors, type AlertVendors } from '../../testing/alert-vendors';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { idleKey, nowhere } from '../../testing/idle-server';
import { operator as operatorAt } from '../../testing/operator';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { fieldsOf as serverFields } from '../../testing/server-fields';
import { addSamples } from './samples';

const ROUNDS = 3;

let postgres: TestPostgres;
let vendors: AlertVendors;
let db: Client;
let backend: BackendProcess;
let operator: Operator;

const start = async (): Promise<void> => {
  backend = await spawnBackend({ databaseUrl: postgres.url, env: { OUTBOUND_ALLOW: '127.0.0.1' } });
};

beforeAll(async () => {
  [postgres, vendors] = await Promise.all([startTestPostgres(), startAlertVendors()]);
  db = new Client({ connectionString: postgres.url });
  await db.connect();
  await start();
  operator = await signIn(backend.url, backend.signInLink);
});
afterAll(async () => {
  await backend?.stop();
  await db?.end();
  await vendors?.stop();
  await postgres?.stop();
});

test('each crossing is raised and told once through kill -9, at the moments that a trial gives', async () => {
  const insert = async (path: string, data: object): Promise<string> =>
    (await operator.post<{ id: string }>(`${path}/insert`, data)).body.id;
  const workspace = (await operator.post<{ id: string }>('workspace/detail')).body.id;
  const chat = await insert('alert-channel', { data: { name: 'Chat', ...fieldsOf(vendors.url).Slack } });
  const server = await insert('server', { ...serverFields('web-1', nowhere), privateKey: idleKey() });
  const rule = await insert('alert-rule', { data: { name: 'Disks', causes: ['disk almost full'] } });
  await operator.post('alert-rule/switchOn', { id: rule });
  const on = { workspace, server };
  const alerts = async (): Promise<AlertView[]> =>
    (await operator.post<AlertView[]>('alert/list', {})).body.filter(({ about }) => about === 'diskFull');
  const messages = async (): Promise<AlertMessageView[]> =>
    (await operator.post<AlertMessageView[]>('alert-channel/message/list', { id: chat })).body;

  for (let round = 1; round <= ROUNDS; round += 1) {
    await addSamples(db, on, [3, 2]);
    await addSamples(db, on, [1, 0.5], { disk: 95 });
    // It ends before, while, or after it raises and tells.
    await new Promise((done) => setTimeout(done, round * 2500));
    await backend.kill('SIGKILL');
    await start();
    operator = operatorAt(backend.url, operator.cookie);
    await until(async () => (await messages()).filter(({ state }) => state === 'delivered').length === round);
    await addSamples(db, on, [0.2, 0]);
    await until(async () => (await alerts()).every(({ state }) => state === 'resolved'));
  }
  expect(await alerts()).toHaveLength(ROUNDS);
  const told = (await messages())
    .flatMap((message) => message.alerts.map(({ moment = '' }) => moment))
    .toSorted((a, b) => a.localeCompare(b));
  const tried = (await operator.post<TriedRule>('alert-rule/try', { id: rule })).body;
  expect(tried.moments.map(({ at }) => at)).toEqual(told);
  expect(told).toHaveLength(ROUNDS);
});
