/**
 * The schedule of deliveries is in the log, so a back end that is killed between attempts loses nothing. covers: DOM-13
 */
import type { EventStore } from '@quarterdeck/log/store';
import type { AlertView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { operator as operatorAt } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startToldServer, withNothing, withStatus, type ToldServer } from '../../testing/told-server';
import { certificateServed, domainAdded, tellOfDomain } from './domain-events';
import { openLog } from '../../testing/log';

let postgres: TestPostgres;
let receiver: ToldServer;
let store: EventStore;
const open: BackendProcess[] = [];
/** A session of one process is valid in all of them. */
let cookie = '';
const at = ({ url }: BackendProcess): Operator => operatorAt(url, cookie);

const start = async (): Promise<BackendProcess> => {
  const env = { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'info' };
  const backend = await spawnBackend({ databaseUrl: postgres.url, env });
  open.push(backend);
  return backend;
};
const alertWith = async (operator: Operator, domain: string, attempts: number): Promise<AlertView> => {
  for (;;) {
    const { body } = await operator.post<AlertView[]>('alert/list');
    const alert = body.find(({ subjectId }) => subjectId === domain);
    if (alert && alert.deliveries.length >= attempts) return alert;
    await new Promise((done) => setTimeout(done, 50));
  }
};
const domainOf = async (operator: Operator): Promise<string> => {
  const { body } = await operator.post<{ id: string }>('workspace/detail');
  const domain = uuidv7();
  const name = 'shop.example.org';
  await tellOfDomain(store, body.id, domain, domainAdded(name), certificateServed(name, 5));
  return domain;
};
const callsFor = (domain: string) => receiver.asked.filter(({ body }) => body.includes(domain));

/** The process that delivers; each test kills it and leaves another one running. */
let first: BackendProcess;

beforeAll(async () => {
  [postgres, receiver] = await Promise.all([startTestPostgres(), startToldServer()]);
  store = await openLog(postgres.url, { onFault: () => undefined });
  first = await start();
  const operator = await signIn(first.url, first.signInLink);
  ({ cookie } = operator);
  await operator.post('workspace/alerts', { thresholds: [7], webhook: { url: receiver.url } });
});
afterAll(async () => {
  for (const backend of open) await backend.stop();
  await store?.close();
  await receiver?.stop();
  await postgres?.stop();
});

test('after a kill between two attempts, the second one is made when it is due, and once', async () => {
  receiver.answer(withStatus(500));
  const domain = await domainOf(at(first));
  const failed = await alertWith(at(first), domain, 1);
  await first.kill('SIGKILL');
  receiver.answer(withStatus(200));

  const [second, third] = [await start(), await start()];
  const told = await alertWith(at(second), domain, 2);
  expect(told.deliveries.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 500],
    [2, 200],
  ]);
  const calls = callsFor(domain);
  expect(calls).toHaveLength(2);
  expect(calls[1]?.at).toBeGreaterThanOrEqual(Date.parse(failed.nextAttemptAt ?? ''));
  expect(new Set(calls.map(({ headers }) => headers['x-quarterdeck-id'])).size).toBe(1);
  // The process that takes over finds nothing to do.
  const leader = [second, third].find(({ stderr }) => stderr().includes('alerts: this process watches'));
  first = leader === second ? third : second;
  await leader?.kill('SIGKILL');
  const again = await domainOf(at(first));
  await receiver.came(3);
  expect([callsFor(domain).length, callsFor(again).length]).toEqual([2, 1]);
});

test('after a kill while the receiver is answering, the attempt is repeated with the same id', async () => {
  receiver.answer(withNothing);
  const before = receiver.asked.length;
  const domain = await domainOf(at(first));
  await receiver.came(before + 1);
  await first.kill('SIGKILL');
  receiver.answer(withStatus(200));
  const next = await start();
  const told = await alertWith(at(next), domain, 1);
  expect(told.deliveries).toMatchObject([{ attempt: 1, status: 200 }]);
  const calls = callsFor(domain);
  expect(calls).toHaveLength(2);
  expect(calls[0]?.headers['x-quarterdeck-id']).toBe(calls[1]?.headers['x-quarterdeck-id']);
  expect(calls[0]?.body).toBe(calls[1]?.body);
});
