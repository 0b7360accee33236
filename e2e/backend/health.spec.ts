/** Servers are really probed, and the reported figures are correct. covers: SRV-16 */
import { statfsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { HealthHistory, HealthSample, WorkspaceView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';
import { probeEverySecond, watchHealth, type HealthWatch } from './health-watch';
import { connectSocket } from '../../testing/socket';
import { openWorld, registerAt, startSlowServer, type World } from './world';

let world: World;
let sshd: Sshd;
let ada: Operator;
let watch: HealthWatch;
/** Always reachable: its samples show that probes continue. */
let steady: string;

const rule = { failures: 2, outOf: 3 };

const add = async (at: Sshd): Promise<string> => {
  const id = await registerAt(ada, at);
  expect((await ada.post('server/contact', { id })).status).toBe(200);
  await watch.untilState(id, 'reachable');
  // Samples are pushed at once, and stored with the next batch.
  await watch.until(async () => (await watch.newest(id)) !== undefined);
  return id;
};

beforeAll(async () => {
  [world, sshd] = await Promise.all([openWorld({ env: { HEALTH_CHECKS: 'on' } }), startSshd()]);
  ada = await world.backend.signIn({ email: 'ada@example.org' });
  watch = watchHealth(ada, world.backend.db);
  await probeEverySecond(world.backend, rule);
  steady = await add(sshd);
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

test('the reported figures are those of the server', async () => {
  const sample = await watch.newest(steady);
  const inProc = (name: string): number =>
    Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) * 1024;
  const disk = statfsSync('/root');
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split('.')[0]);
  expect(sample).toMatchObject({
    ok: true,
    cores: availableParallelism(),
    memoryTotal: inProc('MemTotal'),
    diskTotal: disk.blocks * disk.bsize,
  });
  expect(sample?.tookMs).toBeGreaterThan(0);
  expect(sample?.load1).toBeGreaterThanOrEqual(0);
  // The figures change, but not by half of the total from one moment to the next.
  const near = (value: number | undefined, other: number, all: number) =>
    expect(Math.abs((value ?? Infinity) - other)).toBeLessThan(all / 2);
  near(sample?.memoryAvailable, inProc('MemAvailable'), inProc('MemTotal'));
  near(sample?.diskUsed, (disk.blocks - disk.bfree) * disk.bsize, disk.blocks * disk.bsize);
  near(sample?.diskAvailable, disk.bavail * disk.bsize, disk.blocks * disk.bsize);
  expect(sample?.uptimeSeconds).toBeLessThanOrEqual(uptime);
  expect(['absent', 'stopped', 'running', 'silent']).toContain(sample?.docker);
  expect(['absent', 'stopped', 'running']).toContain(sample?.nginx);
  // The operator made the first contact; the console found by itself that the server is reachable.
  expect(await watch.changes(steady)).toMatchObject([{ to: 'reachable', actor: 'system' }]);
});

test('the newest figures reach the open consoles of the workspace’s administrators, and nobody else', async () => {
  const listen = async (who: Operator) => {
    const listener = await connectSocket(who);
    const heard: HealthSample[] = [];
    listener.socket.on('health', ({ samples }: { samples: HealthSample[] }) => heard.push(...samples));
    await listener.resume((await who.get('session')).headers.get('x-position') ?? '0');
    return { listener, heard };
  };
  const second = await world.another({ env: { HEALTH_CHECKS: 'on' } });
  const listeners = await Promise.all([
    listen(ada),
    // Another process, which does not probe, also pushes to its sockets.
    listen({ ...ada, url: second.url }),
    listen(await world.backend.signIn({ email: 'root@example.org', role: 'superadmin' })),
    listen(await world.backend.signIn({ email: 'mia@example.org', role: 'member' })),
    listen(await world.backend.signIn({ workspace: 'elsewhere' })),
  ]);
  const [here, there, above, member, stranger] = listeners;
  for (const one of [here, there, above])
    await one?.listener.until(() => one.heard.filter(({ server }) => server === steady).length >= 2);
  expect([member?.heard, stranger?.heard]).toEqual([[], []]);
  expect(here?.heard[0]).toMatchObject({ server: steady, ok: true, cores: availableParallelism() });
  expect(await watch.newest(steady)).toMatchObject({ ok: true });
  for (const { listener } of listeners) listener.close();
});

test('a server that goes down becomes unreachable after N of M failures, which is recorded once, and comes back', async () => {
  const gone = await startSshd();
  const id = await add(gone);
  gone.kill('SIGKILL');
  await watch.untilState(id, 'unreachable');
  await watch.more(id, 3);
  const changes = await watch.changes(id);
  expect(changes).toMatchObject([{ to: 'reachable' }, { to: 'unreachable', code: 'refused' }]);
  const failed = (await watch.samples(id)).filter(({ ok, at }) => !ok && at <= (changes[1]?.at ?? ''));
  expect(failed).toHaveLength(rule.failures);

  await gone.restart();
  await watch.untilState(id, 'reachable');
  await watch.more(id, 2);
  expect(await watch.changes(id)).toHaveLength(3);
  const { body } = await ada.post<HealthHistory>('health/history', { id, hours: 1 });
  expect(body.unreachable).toEqual([
    { from: changes[1]?.at, to: expect.any(String) as string, reason: expect.any(String) as string },
  ]);
  expect(body.points.reduce((sum, { failed: count }) => sum + count, 0)).toBeGreaterThanOrEqual(
    rule.failures,
  );
  await gone.stop();
  await ada.post('server/delete', { id });
});

test('a docker daemon that hangs does not hide other figures', async () => {
  const slow = await startSlowServer();
  const id = await add(slow.sshd);
  const sample = await watch.newest(id);
  expect(sample).toMatchObject({ ok: true, cores: availableParallelism() });
  expect(['stopped', 'silent']).toContain(sample?.docker);
  await ada.post('server/delete', { id });
  await slow.stop();
});

test('another interval takes effect at once', async () => {
  const hourly = { ...rule, everySeconds: 3600 };
  expect((await ada.post('workspace/health-checks', hourly)).status).toBe(200);
  const id = await add(sshd);
  expect((await watch.samples(id)).length).toBe(1);
  const { body } = await ada.post<WorkspaceView>('workspace/detail');
  expect(body).toMatchObject({ name: 'main', healthChecks: hourly });
  await probeEverySecond(world.backend, rule);
  await watch.more(id, 3);
  await ada.post('server/delete', { id });
});

test('a removed server is not probed any more, and its samples are kept', async () => {
  const id = await add(sshd);
  await ada.post('server/delete', { id });
  await watch.more(steady, 2);
  const kept = await watch.samples(id);
  await watch.more(steady, 2);
  expect(kept).not.toEqual([]);
  expect(await watch.samples(id)).toEqual(kept);
  expect(await watch.newest(id)).toBeUndefined();
  expect((await ada.post('health/history', { id, hours: 1 })).status).toBe(404);
});

test('a server with a changed host key is not probed until the key is accepted', async () => {
  const swapped = await startSshd();
  const id = await add(swapped);
  const { fingerprint } = await swapped.swapHostKey();
  await watch.untilState(id, 'unreachable');
  await watch.more(steady, 1);
  const known = await watch.samples(id);
  await watch.more(steady, 3);
  expect(await watch.samples(id)).toEqual(known);
  expect(known.at(-1)).toMatchObject({ ok: false, code: 'hostKeyChanged' });
  const changes = await watch.changes(id);
  expect(changes).toMatchObject([{ to: 'reachable' }, { to: 'unreachable', actor: 'system' }]);
  // A probe may have met the moment of the change, in which the server was down, before or after it counted.
  expect(known.map((sample) => sample.code)).toContain(changes[1]?.code);
  expect((await ada.post('server/host-key/accept', { id, fingerprint })).status).toBe(200);
  await watch.untilState(id, 'reachable');
  await ada.post('server/delete', { id });
  await swapped.stop();
});

test('a server that rejects our key is unreachable, and its state gives the reason', async () => {
  const stranger = await sshd.keyFor('stranger');
  const id = await add(sshd);
  await ada.post('server/update/private-key', { id, privateKey: stranger.privateKey });
  await watch.untilState(id, 'unreachable');
  expect((await watch.changes(id)).at(-1)).toMatchObject({ to: 'unreachable', code: 'authentication' });
  await ada.post('server/delete', { id });
});

test('invalid rules are refused by name', async () => {
  const often = { ...rule, everySeconds: 5 };
  const refusal = async (body: object) => (await ada.post('workspace/health-checks', body)).body.data;
  expect(await refusal({ ...often, everySeconds: 4 })).toEqual({
    everySeconds: 'numbers below 5 are not accepted',
  });
  expect(await refusal({ ...often, everySeconds: 3601 })).toHaveProperty('everySeconds');
  expect(await refusal({ ...often, failures: 4 })).toEqual({
    failures: 'more than the number of checks looked at',
  });
  expect(await refusal({ ...often, outOf: 21 })).toHaveProperty('outOf');
  const { body } = await ada.post<WorkspaceView>('workspace/detail');
  const stale = await ada.post('workspace/health-checks', {
    ...often,
    failures: 3,
    revision: body.revision - 1,
  });
  expect(stale).toMatchObject({ status: 409, body: { current: { ...rule, revision: body.revision } } });
});
