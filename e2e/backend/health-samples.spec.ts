/** Retention of probes, and their aggregation. covers: SRV-16 */
import type { HealthHistory, ListPage, NewestHealth, ServerRow } from '@quarterdeck/projections';
import { ageSamples } from '../../apps/backend/src/health/health-retention';
import { insertSamples, type KeptSample } from '../../apps/backend/src/health/health-samples';
import type { Operator } from '../../testing/backend';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from './world';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: World;
let ada: Operator;
let workspace: string;

const register = async (alias: string): Promise<string> =>
  (
    await ada.post<{ id: string }>('server/insert', {
      ...fieldsOf(alias, nowhere),
      privateKey: idleKey(),
    })
  ).body.id;
const sampleOf = (server: string, at: number, more: Partial<KeptSample> = {}): KeptSample => ({
  workspace,
  server,
  at: new Date(at).toISOString(),
  ok: true,
  tookMs: 20,
  load1: 1,
  cores: 2,
  memoryTotal: 1000,
  memoryAvailable: 400,
  diskTotal: 2 ** 42,
  diskAvailable: 2 ** 40,
  ...more,
});
const countOf = async (server: string): Promise<number> =>
  (await world.backend.db.query('select from app.health_samples where server = $1', [server])).rowCount ?? 0;
const historyOf = async (id: string, hours: number): Promise<HealthHistory> =>
  (await ada.post<HealthHistory>('health/history', { id, hours })).body;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.backend.signIn();
  const { rows } = await world.backend.db.query<{ id: string }>('select id from read.workspaces');
  workspace = rows[0]?.id ?? '';
});
afterAll(() => world?.end());

test('the newest of each server is listed, with its known values only', async () => {
  const [one, other] = [await register('listed-1'), await register('listed-2')];
  const now = Date.now();
  await insertSamples(world.backend.db, [
    sampleOf(one, now - 2000),
    sampleOf(one, now - 1000, { load1: 0.25, docker: 'running', containers: 3 }),
    sampleOf(other, now - 5000),
    sampleOf(other, now - 9000),
    {
      workspace,
      server: other,
      at: new Date(now).toISOString(),
      ok: false,
      tookMs: 9,
      code: 'refused',
      reason: 'no',
    },
  ]);
  const { body } = await ada.post<NewestHealth[]>('health/list');
  // A page of the list of servers shows the same.
  const listed = await ada.post<ListPage<ServerRow>>('server/page', { search: 'listed-' });
  expect(listed.body.rows.map(({ id }) => id)).toEqual([one, other]);
  const alone = await ada.post<ListPage<ServerRow>>('server/page', { ids: [other] });
  expect(alone.body).toMatchObject({ rows: [{ id: other }], found: 1, total: 1 });
  expect(listed.body.rows.map(({ newest }) => newest)).toEqual(
    [one, other].map((id) => body.find(({ server }) => server === id)),
  );
  const seen = (at: number) => ({ seenAt: new Date(at).toISOString() });
  const { workspace: _known, ...newest } = sampleOf(one, now - 1000, {
    load1: 0.25,
    docker: 'running',
    containers: 3,
  });
  expect(body.map(({ server }) => server)).toEqual([one, other]);
  // Postgres now finds the first row last.
  await world.backend.db.query('update read.servers set view = view where id = $1', [one]);
  const again = await ada.post<NewestHealth[]>('health/list');
  expect(again.body.map(({ server }) => server)).toEqual([one, other]);
  expect(body).toContainEqual({ ...newest, ...seen(now - 1000) });
  expect(body).toContainEqual({
    server: other,
    at: new Date(now).toISOString(),
    ok: false,
    tookMs: 9,
    code: 'refused',
    reason: 'no',
    ...seen(now - 5000),
  });
});

test('no sample is stored twice', async () => {
  const id = await register('once-1');
  const sample = sampleOf(id, Date.now());
  await insertSamples(world.backend.db, [sample, sample]);
  await insertSamples(world.backend.db, [sample]);
  expect(await countOf(id)).toBe(1);
});

test('any range has at most 300 points with minimum, maximum and typical values', async () => {
  const id = await register('long-1');
  const now = Date.now();
  const samples = Array.from({ length: 2880 }, (_, index) =>
    sampleOf(id, now - index * 30_000 - 1000, { load1: index % 10, ok: index % 100 !== 0 }),
  );
  for (let from = 0; from < samples.length; from += 500)
    await insertSamples(world.backend.db, samples.slice(from, from + 500));
  const day = await historyOf(id, 24);
  expect(day.points.length).toBeLessThanOrEqual(300);
  expect(day.points.length).toBeGreaterThan(290);
  expect(day.points.reduce((sum, point) => sum + point.samples, 0)).toBe(2880);
  expect(day.points.reduce((sum, point) => sum + point.failed, 0)).toBe(29);
  const some = day.points[150];
  expect(some?.load?.min).toBeLessThan(some?.load?.avg ?? 0);
  expect(some?.load?.max).toBeGreaterThan(some?.load?.avg ?? 9);
  expect(some).toMatchObject({ cores: 2, memory: { min: 0.6, avg: 0.6, max: 0.6 }, disk: { avg: 0.75 } });
  const times = day.points.map(({ at }) => at);
  expect(times).toEqual([...times].sort());

  const hour = await historyOf(id, 1);
  expect(hour.points.reduce((sum, point) => sum + point.samples, 0)).toBe(120);
  expect(hour.gapSeconds).toBe(75);
  for (const hours of [1, 24, 168, 720, 2160]) {
    const { points, gapSeconds } = await historyOf(id, hours);
    expect(points.length).toBeLessThanOrEqual(300);
    const apart = points
      .slice(1)
      .map(({ at }, index) => Date.parse(at) - Date.parse(points[index]?.at ?? ''));
    expect(Math.max(0, ...apart)).toBeLessThan(gapSeconds * 1000);
  }
});

test('disk usage is used / (used + available), and total minus available for older samples', async () => {
  const now = Date.now();
  const [reserved, older] = [await register('reserved-1'), await register('older-1')];
  const disk = { diskTotal: 1000, diskAvailable: 555 };
  await insertSamples(world.backend.db, [
    sampleOf(reserved, now - 1000, { ...disk, diskUsed: 195 }),
    sampleOf(older, now - 1000, disk),
  ]);
  expect((await historyOf(reserved, 1)).points).toMatchObject([{ disk: { avg: 0.26, max: 0.26 } }]);
  expect((await historyOf(older, 1)).points).toMatchObject([{ disk: { avg: 0.445 } }]);
  const { body } = await ada.post<NewestHealth[]>('health/list');
  expect(body.find(({ server }) => server === reserved)).toMatchObject({ ...disk, diskUsed: 195 });
  expect(body.find(({ server }) => server === older)).not.toHaveProperty('diskUsed');
});

test('a server that was never probed has an empty history', async () => {
  const id = await register('never-1');
  expect(await historyOf(id, 24)).toMatchObject({ id, points: [], unreachable: [] });
  expect((await ada.post('health/history', { id, hours: 2161 })).status).toBe(400);
});

test('samples are complete for 30 days, one an hour until 90, then gone; those with figures stay longest', async () => {
  const { db } = world.backend;
  const id = await register('old-1');
  const now = Math.floor(Date.now() / HOUR) * HOUR + 30 * MINUTE;
  const at = (age: number, more?: Partial<KeptSample>) => sampleOf(id, now - age, more);
  await ageSamples(db, new Date(now - 70 * DAY).toISOString());
  const minutes = [1, 2, 3, 4].map((minute) => minute * MINUTE);
  await insertSamples(db, [
    ...minutes.map((minute) => at(91 * DAY + minute)),
    ...minutes.map((minute) => at(60 * DAY + minute, { ok: minute === MINUTE })),
    ...minutes.map((minute) => at(31 * DAY + minute)),
    ...minutes.map((minute) => at(29 * DAY + minute)),
  ]);
  const ages = async (): Promise<number[]> => {
    const { rows } = await db.query<{ at: Date }>(
      'select at from app.health_samples where server = $1 order by at',
      [id],
    );
    return rows.map((row) => Math.floor((now - row.at.getTime()) / DAY));
  };
  // Each call ages one week, so it is repeated for as many weeks as needed.
  for (let time = 0; time < 12; time += 1) await ageSamples(db, new Date(now).toISOString());
  expect(await ages()).toEqual([60, 31, 29, 29, 29, 29]);
  const kept = await db.query('select ok from app.health_samples where server = $1 order by at limit 1', [
    id,
  ]);
  expect(kept.rows).toEqual([{ ok: true }]);
  await ageSamples(db, new Date(now + 29 * DAY).toISOString());
  expect((await ages()).filter((age) => age >= 60)).toEqual([60]);
  await ageSamples(db, new Date(now + 31 * DAY).toISOString());
  expect((await ages()).filter((age) => age >= 60)).toEqual([]);
});

test('probes stay in the past of a removed server, and return when the removal is undone', async () => {
  const id = await register('removed-1');
  const sample = sampleOf(id, Date.now() - MINUTE);
  await insertSamples(world.backend.db, [sample]);
  const inPast = { 'x-at': await world.backend.resources.store.head() };
  const shown = async (headers: Record<string, string> = {}) => {
    const newest = await ada.post<NewestHealth[]>('health/list', {}, headers);
    const history = await ada.post<HealthHistory>('health/history', { id, hours: 1 }, headers);
    return [newest.body.find(({ server }) => server === id)?.at, history.body.points?.length];
  };
  expect(await shown(inPast)).toEqual([sample.at, 1]);
  const removed = await ada.post('server/delete', { id });
  const position = removed.headers.get('x-position');
  await ageSamples(world.backend.db);
  expect(await shown()).toEqual([undefined, undefined]);
  expect(await shown(inPast)).toEqual([sample.at, 1]);
  const { body: preview } = await ada.post('history/undo/preview', { position });
  const given = { position, seen: preview['seen'], privateKey: idleKey() };
  expect((await ada.post('history/undo', given)).status).toBe(200);
  expect(await shown()).toEqual([sample.at, 1]);
});
