/** Rates of counters across restarts, replaced containers and missing samples; retention. covers: OPS-04 */
import type { Answer, health } from '@quarterdeck/contract';
import type { ServiceUsage } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { ageSamples } from '../../apps/backend/src/health/health-retention';
import { insertSamples } from '../../apps/backend/src/health/health-samples';
import { serviceHistory } from '../../apps/backend/src/health/service-history';
import { openWorld, type World } from './world';

type Metrics = Answer<typeof health.service>;

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const MIB = 2 ** 20;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.end());

const newService = () => ({ workspace: 'acme', server: uuidv7(), service: uuidv7() });
type ServiceOnServer = ReturnType<typeof newService>;

const used = (clock: number, more: Partial<ServiceUsage> = {}): ServiceUsage => ({
  container: 'aaaaaaaaaaaa',
  state: 'running',
  started: '2026-11-20T12:00:00.000Z',
  restarts: 0,
  clock,
  cpuUs: clock * 500_000,
  memory: 64 * MIB,
  received: clock * 1000,
  sent: clock * 10,
  ...more,
});

const keep = (
  { workspace, server, service }: ServiceOnServer,
  at: number,
  usage?: ServiceUsage,
): Promise<void> =>
  insertSamples(world.backend.db, [
    {
      workspace,
      server,
      at: new Date(at).toISOString(),
      ok: true,
      tookMs: 1,
      docker: 'running',
      containers: 1,
      ...(usage && { usage: { [service]: usage } }),
    },
  ]);

const metricsOf = (
  { workspace, server, service }: ServiceOnServer,
  now: number,
  hours = 1,
): Promise<Metrics> =>
  serviceHistory(
    world.backend.db,
    { workspace, service, server: { id: server, alias: 'web-1' }, hours, everySeconds: 30 },
    now,
  );

const now = Date.now();
const ago = (seconds: number): number => now - seconds * SECOND;

test('counters become rates by the clock of the server, also over missing samples', async () => {
  const here = newService();
  await keep(here, ago(300), used(1000));
  await keep(here, ago(270), used(1030));
  // Two checks failed in between.
  await keep(here, ago(180), used(1120, { memory: 80 * MIB, limit: 128 * MIB }));
  const { points, newest, restarted, problem } = await metricsOf(here, now);
  expect(points.map(({ cpu }) => cpu?.avg)).toEqual([undefined, 0.5, 0.5]);
  expect(points.map(({ received, sent }) => [received?.avg, sent?.avg]).slice(1)).toEqual([
    [1000, 10],
    [1000, 10],
  ]);
  expect(points.map(({ memory, limit }) => [memory?.avg, limit])).toEqual([
    [64 * MIB, undefined],
    [64 * MIB, undefined],
    [80 * MIB, 128 * MIB],
  ]);
  expect(newest).toMatchObject({ cpu: 0.5, memory: 80 * MIB, limit: 128 * MIB, state: 'running' });
  expect({ restarted, problem }).toEqual({ restarted: 0, problem: undefined });
  // The last sample before the range counts, but is not shown.
  const later = await metricsOf(here, ago(180) + HOUR);
  expect(later.points.map(({ cpu }) => cpu?.avg)).toEqual([0.5]);
});

test('a restart, a replaced container and a counter that begins anew give no rate', async () => {
  const here = newService();
  const second = '2026-11-20T13:00:00.000Z';
  await keep(here, ago(600), used(1000));
  // Started again by the engine, then twice before the next check, then by hand, which begins its count anew.
  await keep(here, ago(570), used(1030, { started: second, restarts: 1, cpuUs: 9e12, exitCode: 3 }));
  await keep(here, ago(540), used(1060, { started: '2026-11-20T13:01:00.000Z', restarts: 3, cpuUs: 5 }));
  await keep(here, ago(510), used(1090, { started: '2026-11-20T13:02:00.000Z', restarts: 0, cpuUs: 6 }));
  // A deploy is no restart.
  await keep(here, ago(480), used(1120, { container: 'bbbbbbbbbbbb', cpuUs: 1, received: 0, sent: 0 }));
  await keep(here, ago(450), used(1150, { container: 'bbbbbbbbbbbb', cpuUs: 1, received: 0, sent: 0 }));
  // The counter of a network that was connected again.
  await keep(here, ago(420), used(1180, { container: 'bbbbbbbbbbbb', cpuUs: 1, received: 0, sent: 0 }));
  // The server itself began anew.
  await keep(here, ago(390), used(5, { container: 'bbbbbbbbbbbb', cpuUs: 9e12 }));
  const { points, restarts, restarted } = await metricsOf(here, now);
  expect(points.map(({ cpu }) => cpu?.avg)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    0,
    0,
    undefined,
  ]);
  expect(points.map((point) => point.restarts)).toEqual([0, 1, 2, 1, 0, 0, 0, 0]);
  expect(restarted).toBe(4);
  expect(restarts.map(({ count, exitCode }) => [count, exitCode])).toEqual([
    [1, undefined],
    [2, undefined],
    [1, 3],
  ]);
});

test('a range has at most 300 points; those of another service, server or workspace are not among them', async () => {
  const here = newService();
  for (let from = 0; from < 700; from += 100)
    await insertSamples(
      world.backend.db,
      Array.from({ length: 100 }, (_, index) => ({
        ...here,
        at: new Date(ago(3500 - (from + index) * 5)).toISOString(),
        ok: true,
        tookMs: 1,
        usage: { [here.service]: used(from + index), [uuidv7()]: used(1) },
      })),
    );
  const { points } = await metricsOf(here, now);
  expect(points.length).toBeLessThanOrEqual(300);
  expect(points.reduce((sum, { samples }) => sum + samples, 0)).toBe(700);
  expect((await metricsOf({ ...here, workspace: 'other' }, now)).points).toEqual([]);
  expect((await metricsOf({ ...here, server: uuidv7() }, now)).points).toEqual([]);
});

test('samples thin out with those of their server, and rates over an hour stay exact', async () => {
  const { db } = world.backend;
  const here = newService();
  const hour = Math.floor(now / HOUR) * HOUR;
  await ageSamples(db, new Date(hour - 70 * DAY).toISOString());
  for (const age of [91 * DAY, 40 * DAY, 39 * DAY + 23 * HOUR, 3 * DAY])
    for (const minute of [1, 2, 3]) {
      const at = hour - age + minute * 60 * SECOND;
      await keep(here, at, used((at - hour + 100 * DAY) / SECOND));
    }
  for (let time = 0; time < 12; time += 1) await ageSamples(db, new Date(hour).toISOString());
  const { rows } = await db.query<{ at: Date }>(
    'select at from app.service_samples where service = $1 order by at',
    [here.service],
  );
  expect(rows.map(({ at }) => Math.floor((hour - at.getTime()) / HOUR))).toEqual([
    40 * 24 - 1,
    40 * 24 - 2,
    3 * 24 - 1,
    3 * 24 - 1,
    3 * 24 - 1,
  ]);
  const { points } = await metricsOf(here, hour, 2160);
  expect(points.flatMap(({ cpu }) => (cpu ? [cpu.avg, cpu.min, cpu.max] : []))).toEqual(
    expect.arrayContaining([0.5]),
  );
  for (const { cpu } of points) expect(cpu?.avg ?? 0.5).toBeCloseTo(0.5);
});
