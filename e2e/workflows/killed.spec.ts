/** The back end is killed between two records that belong together. covers: WF-02 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, chmodSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunView } from '@quarterdeck/projections';
import { Client } from 'pg';
import { signatureOf } from '../../apps/backend/src/platform/webhook-signature';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startSshd, type Sshd } from '../../testing/sshd';
import { registerAt } from '../backend/world';
import { callsOf } from './trigger-ground';

let postgres: TestPostgres;
let sshd: Sshd;
let backend: BackendProcess;
let alice: Operator;
let { ask, workflow, trigger, instances, start, instanceThat, firings } = {} as ReturnType<typeof callsOf>;
let db: Client;

/** @param before text before which it is killed when it sends it to the database */
const begin = async (before?: string): Promise<void> => {
  const kills = before !== undefined && {
    NODE_OPTIONS: '--import ./testing/killed-before-sending.mjs',
    KILLED_BEFORE_SENDING: before,
  };
  backend = await spawnBackend({ databaseUrl: postgres.url, env: { ...kills } });
  alice = await signIn(backend.url, backend.signInLink);
  ({ ask, workflow, trigger, instances, start, instanceThat, firings } = callsOf(alice));
};

/** Restarts with the kill ahead. @returns `killed` resolves when it was killed */
const killBefore = async (text: string): Promise<{ killed: Promise<unknown> }> => {
  await backend.stop();
  await begin(text);
  const { child } = backend;
  return { killed: once(child, 'exit') };
};

beforeAll(async () => {
  [postgres, sshd] = await Promise.all([startTestPostgres({ own: true }), startSshd()]);
  await begin();
  db = new Client({ connectionString: postgres.url });
  await db.connect();
});
afterAll(async () => {
  await db?.end();
  await backend?.stop();
  await Promise.all([sshd?.stop(), postgres?.stop()]);
});

const recorded = async (table: string): Promise<number> =>
  (await db.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ?? 0;

const FIRED = 'insert into app.workflow_firings';

it('after the start of an instance for an event, before that is recorded: it is started once', async () => {
  const mine = randomUUID();
  const flow = await workflow({ is: 'none' });
  const filter = `event.data.name.endsWith("${mine}")`;
  const at = await trigger(flow, { starts: 'event', event: 'ProductAdded', filter });
  const { killed } = await killBefore(FIRED);
  await ask('product/insert', { data: { name: `One ${mine}`, description: '' } });
  await killed;
  expect(await recorded('app.workflow_firings')).toBe(0);
  await begin();
  await ask('product/insert', { data: { name: `Two ${mine}`, description: '' } });
  await until(async () => (await firings(at)).length === 2);
  expect((await firings(at)).map(({ is }) => is)).toEqual(['started', 'started']);
  expect((await instances(flow)).map(({ id }) => id).sort()).toEqual(
    (await firings(at)).map(({ id }) => id).sort(),
  );
  await ask('workflow/trigger/delete', { id: at });
});

it('after the start of an instance by a webhook: the same delivery again is answered with it', async () => {
  const flow = await workflow({ is: 'none' });
  const hook = await trigger(flow, { starts: 'webhook' });
  const issued = await ask<{ token: string; secret: string }>('workflow/trigger/token/issue', { id: hook });
  const call = (): Promise<Response> =>
    fetch(`${backend.url}/api/public/workflow/start`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${issued.token}`,
        'x-quarterdeck-signature': signatureOf('{"order":1}', issued.secret, new Date()),
        'x-quarterdeck-delivery': 'order-1',
      },
      body: '{"order":1}',
    });
  const { killed } = await killBefore(FIRED);
  await expect(call()).rejects.toThrow();
  await killed;
  await begin();
  const [first, ...others] = await instances(flow);
  expect(others).toEqual([]);
  const again = await call();
  expect({ status: again.status, body: await again.json() }).toMatchObject({
    status: 200,
    body: { id: first?.id },
  });
  expect(await instances(flow)).toHaveLength(1);
});

it('after an instance was cancelled, before its run is: the run is cancelled after the restart, even if it is deleted at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-workflow-'));
  chmodSync(folder, 0o777);
  const [begun, released] = [join(folder, 'begun'), join(folder, 'released')];
  const server = await registerAt(alice, sshd);
  const body = `touch ${begun}; until [ -e ${released} ]; do sleep 0.1; done\n`;
  const fields = { name: `S ${randomUUID()}`, body, changes: true, timeoutSeconds: 600 };
  const script = await ask('script/insert', fields);
  const flow = await workflow({ is: 'script', server: { id: server }, script: { id: script.id } });
  const instance = await start(flow);
  const { states } = await instanceThat(instance, 'acting');
  const run = states[0]?.action ?? '';
  await until(() => existsSync(begun));
  const { killed } = await killBefore('RunCancelRequested');
  // It may be killed before it has answered.
  await alice.post('workflow/instance/cancel', { id: instance }).catch(() => undefined);
  await killed;
  await begin();
  expect((await instanceThat(instance, 'cancelled')).is).toBe('cancelled');
  // Nobody would look at one that was removed, so it cannot be removed before.
  await until(async () => (await alice.post('workflow/instance/delete', { id: instance })).status === 200);
  await until(async () => (await ask<RunView>('run/detail', { id: run })).state === 'cancelled');
  writeFileSync(released, '');
  rmSync(folder, { recursive: true, force: true });
});
