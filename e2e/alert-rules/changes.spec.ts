/** A trial looks only at the samples that change something, and finds the same crossings as the watch. covers: OPS-01 */
import { Measured, type MeasuredProbe } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { changesAfter, samplesAfter } from '../../apps/backend/src/health';
import { openWorld, type World } from '../backend/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.end());

const SAMPLES = 5000;
const START = '2026-01-01T00:00:00.000Z';

/** Figures that stay for a while, near the limits and sometimes unknown. `$3`: the seed. */
const INSERT = `
  insert into app.health_samples (workspace, server, at, ok, took_ms, load1, cores, memory_total, memory_available,
    disk_total, disk_used, disk_available, nginx, docker)
  select 'w', $1, $2::timestamptz + n * interval '30 seconds', r(1) % 17 <> 0, 5,
    case r(2) % 5 when 0 then null else 7.9 + (r(2) % 4) * 0.1 end, 4,
    8e9, case r(3) % 6 when 0 then null else (0.09 + (r(3) % 3) * 0.01) * 8e9 end,
    100e9, case r(4) % 7 when 0 then null else (0.89 + (r(4) % 3) * 0.01) * 100e9 end,
    (0.11 - (r(4) % 3) * 0.01) * 100e9,
    (array['running', 'stopped', 'absent', null])[1 + r(5) % 4], (array['running', 'stopped', 'absent'])[1 + r(6) % 3]
  from generate_series(1, ${SAMPLES}) n`;
/** Each figure changes after every second to seventh sample. */
const withHash = INSERT.replaceAll(
  /r\((\d)\)/g,
  (_, figure: string) => `(abs(hashtext($3 || '${figure} ' || n / (1 + ${figure}))) % 1000)`,
);

const crossingsOf = (samples: readonly MeasuredProbe[]) => {
  const measured = new Measured();
  for (const sample of samples) measured.take(sample, 'web-1');
  return measured.crossings;
};

test.each(['a', 'b', 'c'])('with seed %s', async (seed) => {
  const { db } = world.backend;
  const server = uuidv7();
  await db.query(withHash, [server, START, seed]);
  const all = await samplesAfter(db, [{ server, after: START }], SAMPLES);
  const changes = await changesAfter(db, { server, after: START, limit: SAMPLES });
  expect(changes).toMatchObject({ looked: all.length, last: all.at(-1)?.at });
  const crossings = crossingsOf(changes.samples);
  expect(crossings).toEqual(crossingsOf(all));
  expect(crossings.length).toBeGreaterThan(50);
  expect(new Set(crossings.map(({ about }) => about)).size).toBe(5);
  expect(changes.samples.length).toBeLessThan(all.length);
});

test('a month without any change is two samples', async () => {
  const { db } = world.backend;
  const server = uuidv7();
  const calm = `insert into app.health_samples (workspace, server, at, ok, took_ms, load1, cores)
    select 'w', $1, $2::timestamptz + n * interval '30 seconds', true, 5, 0.5, 4 from generate_series(1, 1000) n`;
  await db.query(calm, [server, START]);
  const { looked, samples } = await changesAfter(db, { server, after: START, limit: 10_000 });
  expect([looked, samples.length]).toEqual([1000, 2]);
});
