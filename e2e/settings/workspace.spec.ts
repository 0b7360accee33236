/** Settings of a workspace: where containers go, and how long the output of runs is kept. covers: AUD-02 */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunView, WorkspaceView } from '@quarterdeck/projections';
import type { DomainError } from '../../apps/backend/src/platform/errors';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import { OutputRetention } from '../../apps/backend/src/runs';
import { WorkspaceSettings } from '../../apps/backend/src/workspaces';
import { settled } from '../alerts/alerts-world';
import { openWorld, registerAt, type World } from '../backend/world';
import { operator, type Operator } from '../../testing/operator';
import { startSshd, type Sshd } from '../../testing/sshd';
import { until } from '../../testing/patience';

let folder: string;
let sshd: Sshd;
let world: World;
let ada: Operator;
let server: string;

/** Prints, and fails until it is fixed; with `hold` it waits before that. */
const DOCKER = (at: string): string => `#!/bin/sh
case "$*" in version*) echo 28; exit 0 ;; esac
echo "what docker says, $(date +%N)"
[ -e ${at}/hold ] && touch ${at}/held && while [ -e ${at}/hold ]; do sleep 0.05; done
[ -e ${at}/mended ]
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-retention-'));
  chmodSync(folder, 0o777);
  writeFileSync(join(folder, 'docker'), DOCKER(folder), { mode: 0o755 });
  [world, sshd] = await Promise.all([openWorld(), startSshd({ path: `${folder}:/usr/bin:/bin` })]);
  ada = await world.backend.signIn({ email: 'ada@example.org' });
  server = await registerAt(ada, sshd, 'web-1');
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const workspace = async (): Promise<WorkspaceView> =>
  (await ada.post<WorkspaceView>('workspace/detail')).body;

describe('the server for containers', () => {
  test('is chosen each time until one is set', async () => {
    expect((await workspace()).containerFlow).toEqual({});
    expect((await ada.post('workspace/container-flow', { server: { id: server } })).status).toBe(200);
    expect((await workspace()).containerFlow).toEqual({ server: { id: server } });
    expect((await ada.post('workspace/container-flow', {})).status).toBe(200);
    expect((await workspace()).containerFlow).toEqual({});
  });

  test('must belong to this workspace', async () => {
    const stranger = await world.backend.signIn({ workspace: 'elsewhere', email: 'eve@example.org' });
    for (const id of [server, randomUUID()])
      expect(await stranger.post('workspace/container-flow', { server: { id } })).toMatchObject({
        status: 404,
        body: { msg: 'server could not be found' },
      });
  });
});

test('only superadmins sign in to a workspace of the users of a product (covers: AUTH-04)', async () => {
  const { signIn, signInLink, url } = world.backend;
  const of = { workspace: 'users' };
  const [root, member] = [
    await signIn({ ...of, role: 'superadmin', email: 'root@example.org' }),
    await signIn({ ...of, role: 'admin', email: 'max@example.org' }),
  ];
  const inserted = await root.post<{ id: string }>('product/insert', { data: { name: 'Shop' } });
  const product = { id: inserted.body.id };
  expect((await member.post('workspace/audience', { product })).status).toBe(403);
  expect((await root.post('workspace/audience', { product: { id: randomUUID() } })).status).toBe(404);
  expect((await member.get('session')).status).toBe(200);
  expect((await root.post('workspace/audience', { product })).status).toBe(200);
  expect((await member.get('session')).status).toBe(401);
  const { body } = await root.get<{ profile: object; instance: object }>('session');
  expect(body.profile).toMatchObject({ instance: { ...body.instance, product } });
  const enter = async () => {
    const link = new URL(await signInLink({ ...of, role: 'admin', email: 'max@example.org' }));
    return operator(url).post('auth/link', { code: link.searchParams.get('code') });
  };
  expect(await enter()).toMatchObject({
    status: 401,
    body: { msg: 'Access Denied! Wrong access credentials.' },
  });
  expect(await root.post('product/delete', product)).toMatchObject({
    status: 409,
    body: { msg: 'this workspace belongs to the users of the product' },
  });
  expect((await root.post('workspace/audience', {})).status).toBe(200);
  expect((await enter()).status).toBe(200);

  // The process that records the setting dies before it can revoke anything.
  const late = await signIn({ ...of, role: 'admin', email: 'max@example.org' });
  const settings = world.backend.app.get(WorkspaceSettings, { strict: false });
  const { id } = (await root.post<WorkspaceView>('workspace/detail')).body;
  await settings.set({ type: 'AudienceConfigured', data: { product } }, ownMeta('cli', id));
  await until(async () => {
    const { audience } = (await root.post<WorkspaceView>('workspace/detail')).body;
    return audience.product !== undefined;
  });
  expect((await late.get('session')).status).toBe(401);
});

test('a conflict about a setting contains the revision to set it at', async () => {
  const bea = await world.backend.signIn({ workspace: 'two at once', email: 'bea@example.org' });
  const { id, revision: seen } = (await bea.post<WorkspaceView>('workspace/detail')).body;
  const settings = world.backend.app.get(WorkspaceSettings, { strict: false });
  const keep = (runOutputDays: number, revision: number) =>
    settings.set({ type: 'RetentionConfigured', data: { runOutputDays } }, ownMeta('cli', id), revision);
  const client = await world.backend.db.connect();
  try {
    // The read model is behind: it cannot be written for the moment.
    await client.query('begin; lock table read.workspaces in exclusive mode');
    await keep(30, seen);
    const refused = await keep(60, seen).catch((error: DomainError) => error.detail?.current);
    expect(refused).toEqual({ runOutputDays: 30, revision: seen + 1 });
    await keep(60, seen + 1);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

describe('the output of runs', () => {
  const retain = (runOutputDays?: number) =>
    ada.post('workspace/retention', runOutputDays === undefined ? {} : { runOutputDays });
  const sweep = (): Promise<number> => world.backend.app.get(OutputRetention, { strict: false }).sweep();
  const runOf = async (id: string): Promise<RunView> => (await ada.post<RunView>('run/detail', { id })).body;
  const outputOf = async (id: string): Promise<string> =>
    (await ada.post<{ chunks: { text: string }[] }>('run/output', { id })).body.chunks
      .map(({ text }) => text)
      .join('');
  const check = async (id: string) =>
    (await ada.post<{ steps: { attempt: number }[] }>('run/check', { id })).body.steps;
  const begin = (): { id: string; done: Promise<unknown> } => {
    const id = randomUUID();
    return { id, done: ada.post('server/execCmd', { id: server, cmdType: 2, runId: id }) };
  };
  const done = async (): Promise<string> => {
    const { id, done: ended } = begin();
    await ended;
    expect(await outputOf(id)).toMatch(/what docker says/);
    return id;
  };
  /** Shifts the end into the past, as if that much time had passed. */
  const age = (id: string, days: number) =>
    world.backend.db.query(
      `update read.runs set view = jsonb_set(view, '{endedAt}',
         to_jsonb(to_char((now() - make_interval(days => $2)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
       where id = $1`,
      [id, days],
    );

  test('is kept forever by default', async () => {
    const run = await done();
    await age(run, 4000);
    expect(await sweep()).toBe(0);
    expect(await outputOf(run)).not.toBe('');
  });

  test('has a limit in days', async () => {
    expect(await retain(0)).toMatchObject({
      status: 400,
      body: { data: { runOutputDays: 'numbers below 1 are not accepted' } },
    });
    expect((await retain(3651)).status).toBe(400);
  });

  test('is deleted when it is old, and the run says so; newer output stays', async () => {
    const [old, young] = [await done(), await done()];
    await retain(30);
    await age(old, 31);
    await age(young, 29);
    await sweep();
    expect(await outputOf(old)).toBe('');
    expect(await outputOf(young)).not.toBe('');
    const run = await settled(async () => {
      const view = await runOf(old);
      return view.outputRemoved && view;
    });
    const bytes = run.steps[0]?.output?.bytes ?? 0;
    expect(bytes).toBeGreaterThan(0);
    expect(run.outputRemoved).toEqual({ at: expect.any(String), days: 30, bytes });
    expect(await check(old)).toEqual([
      expect.objectContaining({ recorded: run.steps[0]?.output, removed: true }),
    ]);
    expect((await check(old))[0]).not.toHaveProperty('matches');
    expect((await runOf(young)).outputRemoved).toBeUndefined();
    expect(await sweep()).toBe(0);
  });

  test('of an active run is never deleted', async () => {
    writeFileSync(join(folder, 'hold'), '');
    const { id, done: ended } = begin();
    await settled(() => Promise.resolve(existsSync(join(folder, 'held')) || undefined));
    await world.backend.caughtUp();
    await settled(async () => (await outputOf(id)) || undefined);
    // Even if the read model is behind: the log decides.
    await world.backend.db.query(`update read.runs set state = 'failed' where id = $1`, [id]);
    await age(id, 100);
    await sweep();
    expect(await outputOf(id)).toMatch(/what docker says/);
    rmSync(join(folder, 'hold'));
    await ended;
  });

  test('of a later retry belongs to the retry and stays', async () => {
    const run = await done();
    await age(run, 100);
    expect(await sweep()).toBe(1);
    writeFileSync(join(folder, 'mended'), '');
    expect((await ada.post('run/retry', { id: run })).status).toBe(200);
    await settled(async () => ((await runOf(run)).state === 'succeeded' ? true : undefined));
    expect(await outputOf(run)).toMatch(/what docker says/);
    expect(await check(run)).toEqual([
      expect.objectContaining({ attempt: 1, removed: true }),
      expect.objectContaining({ attempt: 2, matches: true }),
    ]);
  });
});
