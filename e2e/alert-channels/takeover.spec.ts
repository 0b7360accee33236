/**
 * A message to a channel is in the log, so the next process sends it. One that may have arrived says so when it comes
 * again, and an incident at PagerDuty is the same one. covers: OPS-02
 */
import type { EventStore } from '@quarterdeck/log/store';
import type { AlertMessageView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { fieldsOf, startAlertVendors, type AlertVendors } from '../../testing/alert-vendors';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { openLog } from '../../testing/log';
import { operator as operatorAt } from '../../testing/operator';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { certificateServed, domainAdded, tellOfDomain } from '../alerts/domain-events';

let postgres: TestPostgres;
let vendors: AlertVendors;
let store: EventStore;
let first: BackendProcess;
let operator: Operator;
let workspace = '';
const open: BackendProcess[] = [];

const start = async (): Promise<BackendProcess> => {
  const backend = await spawnBackend({ databaseUrl: postgres.url, env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  open.push(backend);
  return backend;
};
const messagesOf = async (at: Operator, id: string): Promise<AlertMessageView[]> =>
  (await at.post<AlertMessageView[]>('alert-channel/message/list', { id })).body;
const alertOf = (name: string): Promise<void> =>
  tellOfDomain(store, workspace, uuidv7(), domainAdded(name), certificateServed(name, 5));

beforeAll(async () => {
  [postgres, vendors] = await Promise.all([startTestPostgres(), startAlertVendors()]);
  store = await openLog(postgres.url, { onFault: () => undefined });
  first = await start();
  operator = await signIn(first.url, first.signInLink);
  workspace = (await operator.post<{ id: string }>('workspace/detail')).body.id;
});
afterAll(async () => {
  for (const backend of open) await backend.stop();
  await store?.close();
  await vendors?.stop();
  await postgres?.stop();
});

test('after kill -9 in the middle of a delivery, the message comes again and says that it may be twice', async () => {
  const { Slack, PagerDuty } = fieldsOf(vendors.url);
  const add = async (data: object) =>
    (await operator.post<{ id: string }>('alert-channel/insert', { data })).body.id;
  const chat = await add({ name: 'Chat', ...Slack });
  const onCall = await add({ name: 'On call', ...PagerDuty });
  vendors.hang('slack', true);
  vendors.hang('pagerDuty', true);
  await alertOf('killed.example.org');
  await until(() => vendors.shown.slack.length === 1 && vendors.incidents.size === 1);
  await first.kill('SIGKILL');
  vendors.hang('slack', false);
  vendors.hang('pagerDuty', false);

  const next = operatorAt((await start()).url, operator.cookie);
  await until(async () => {
    const newest = [...(await messagesOf(next, chat)), ...(await messagesOf(next, onCall))];
    return newest.length === 2 && newest.every(({ state }) => state === 'delivered');
  });
  const [message] = await messagesOf(next, chat);
  expect(message?.attempts.map(({ attempt, delivered }) => [attempt, delivered])).toEqual([
    [1, undefined],
    [2, true],
  ]);
  expect(vendors.shown.slack).toHaveLength(2);
  expect(vendors.shown.slack[0]).not.toMatch(/may come twice/);
  expect(vendors.shown.slack[1]).toMatch(/may come twice/);
  expect([...vendors.incidents.values()]).toEqual(['triggered']);
});
