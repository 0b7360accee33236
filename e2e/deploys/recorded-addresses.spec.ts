/**
 * Whole addresses that version 1 recorded: everything stays readable, and no answer shows them. covers: SRV-08, DOM-13
 */
import type { NewEvent } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { codecOf } from '@quarterdeck/log/store';
import type { PackagePullView, HistoryView, WorkspaceView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { openLog } from '../../testing/log';
import { startToldServer, withJson, type ToldServer } from '../../testing/told-server';
import type { Operator } from '../../testing/backend';
import { appendAtEnd } from '../../testing/log-events';

const TOKEN = 't0ken-of-the-pipeline';
const IN_PATH = 'a1b2c3d4e5f6a7b8';
const HOOK = 'key-of-the-receiver';
const deploy = uuidv7();
const removed = uuidv7();

let world: World;
let delivery: ToldServer;
let operator: Operator;
let server: string;
let secret: string;

/** Records events as the console did before addresses were shortened. */
const recordAsVersion1 = async (workspace: string): Promise<void> => {
  const old = Object.fromEntries(
    (['DeployRequested', 'DeploySucceeded', 'DeployLogRemoved', 'AlertsConfigured'] as const).map((type) => {
      const { schema } = catalogue[type];
      return [type, { schema, version: 1, upcasts: [] }];
    }),
  );
  const store = await openLog(world.postgres.url, { codec: codecOf(old) });
  const write = (stream: string, events: Pick<NewEvent, 'type' | 'data'>[]) =>
    appendAtEnd(
      store,
      stream,
      events.map((event) => {
        const id = uuidv7();
        const who = { actor: 'system', workspace, correlationId: id, causationId: id };
        return { ...event, meta: { id, at: new Date().toISOString(), ...who, v: '1' } };
      }),
    );
  const what = { server, cdUrl: `${delivery.url}/deploy/shop?token=${TOKEN}`, slug: 'shop' };
  const inPath = { server, cdUrl: `${delivery.url}/deploy/${IN_PATH}`, slug: IN_PATH };
  await write(`deploy-${deploy}`, [
    { type: 'DeployRequested', data: what },
    { type: 'DeploySucceeded', data: { ...what, version: '1.4.2', durationMs: 812 } },
  ]);
  await write(`deploy-${removed}`, [
    { type: 'DeployRequested', data: inPath },
    { type: 'DeployLogRemoved', data: { slug: IN_PATH } },
  ]);
  const webhook = {
    url: `${delivery.url}/services/T0?key=${HOOK}`,
    secret: { ref: secret, fingerprint: 'SHA256:abc' },
  };
  await write(`workspace-${workspace}`, [{ type: 'AlertsConfigured', data: { thresholds: [7], webhook } }]);
  await store.close();
};

beforeAll(async () => {
  delivery = await startToldServer();
  world = await openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  operator = await world.backend.signIn();
  const fields = { ...fieldsOf('web-1', nowhere), privateKey: idleKey() };
  server = (await operator.post<{ id: string }>('server/insert', fields)).body.id;
  const { id: workspace } = (await operator.post<{ id: string }>('workspace/detail')).body;
  secret = uuidv7();
  const kept = { workspace, ref: secret };
  await world.backend.resources.vault.put(kept, 'a secret of the receiver', { kind: 'webhook-secret' });
  await recordAsVersion1(workspace);
  await world.backend.caughtUp();
});
afterAll(async () => {
  await world?.end();
  await delivery?.stop();
});

test('no list, page, view of the past, export or read model shows the recorded addresses', async () => {
  const { body: log } = await operator.post<PackagePullView[]>('deploy/logs/list');
  expect(log).toMatchObject([{ id: deploy, cdUrl: `${delivery.url}/deploy/…`, version: '1.4.2' }]);
  const { body: workspace } = await operator.post<WorkspaceView>('workspace/detail');
  expect(workspace.alerts.webhook?.url).toBe(`${delivery.url}/services/…`);
  const { body: history } = await operator.post<{ events: HistoryView[] }>('history/list', {});
  const said = history.events.filter(({ type }) => /^(Deploy|Alerts)/.test(type));
  expect(said).toHaveLength(5);
  const seen: unknown[] = [log, workspace, history];
  for (const { position } of said) seen.push((await operator.post('history/detail', { position })).body);
  for (const format of ['csv', 'jsonl'])
    seen.push((await operator.get<string>(`history/export?format=${format}`)).body);
  const position = await world.backend.resources.store.head();
  for (const path of ['deploy/logs/list', 'workspace/detail', 'history/list'])
    seen.push((await operator.post(path, {}, { 'x-at': position })).body);
  for (const id of [deploy, removed]) {
    const subject = { category: 'deploy', id };
    seen.push((await operator.post('moment/difference', { subject, from: '1' })).body);
  }
  const tables = await world.backend.db.query<{ row: string }>(`
    select row_to_json(h)::text as row from read.history h union all
    select row_to_json(d)::text from read.deploys d union all select row_to_json(w)::text from read.workspaces w`);
  seen.push(tables.rows);
  expect(tables.rows.length).toBeGreaterThan(8);
  const text = JSON.stringify(seen);
  for (const hidden of [TOKEN, IN_PATH, HOOK]) expect(text).not.toContain(hidden);
});

test('a package is pulled again from its entry, and its address is in the vault from then on', async () => {
  delivery.answer(withJson({ version: { version: '1.5.0' } }));
  const pull = { server: { id: server }, deployLog: { id: deploy } };
  expect(await operator.post('deploy/pull', pull)).toMatchObject({ status: 200 });
  expect(delivery.asked.at(-1)?.path).toBe(`/deploy/shop?token=${TOKEN}`);
  const newest = async () => (await operator.post<PackagePullView[]>('deploy/logs/list')).body[0];
  const first = await newest();
  expect(first).toMatchObject({ slug: 'shop', version: '1.5.0', address: { ref: expect.any(String) } });
  await operator.post('deploy/pull', { ...pull, deployLog: { id: first?.id } });
  expect(delivery.asked.at(-1)?.path).toBe(`/deploy/shop?token=${TOKEN}`);
  expect((await newest())?.address).toEqual(first?.address);
});

test('the webhook is called at its whole address, even if the settings are saved in their shortened form', async () => {
  const called = async () => {
    const before = delivery.asked.length;
    await operator.post('alert/test');
    await delivery.came(before + 1);
    return delivery.asked.at(-1)?.path;
  };
  expect(await called()).toBe(`/services/T0?key=${HOOK}`);
  const { body } = await operator.post<WorkspaceView>('workspace/detail');
  const shown = { thresholds: [14], webhook: { url: body.alerts.webhook?.url } };
  expect((await operator.post('workspace/alerts', shown)).status).toBe(200);
  expect(await called()).toBe(`/services/T0?key=${HOOK}`);
});
