/** Rows of traffic: what a look stores, points of a range, and what stays after a month. covers: OPS-04 */
import { v7 as uuidv7 } from 'uuid';
import type { LogPlace, SiteSums } from '../../apps/backend/src/traffic/site-sums';
import { siteHistory } from '../../apps/backend/src/traffic/traffic-history';
import { ageTraffic, insertLooks, placesOf } from '../../apps/backend/src/traffic/traffic-rows';
import { openWorld, type World } from './world';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.end());

const newSite = () => ({ workspace: 'acme', server: uuidv7(), domain: uuidv7() });
type SiteOnServer = ReturnType<typeof newSite>;

const sums = (requests: number, more: Partial<SiteSums> = {}): SiteSums => ({
  requests,
  classes: [0, requests, 0, 0, 0],
  bytes: requests * 100,
  timed: requests,
  times: { '12': requests },
  sampled: false,
  ...more,
});
const places: LogPlace[] = [{ inode: '7', from: '100', state: 'current', path: '/logs/a.access.log' }];

const keep = (
  { workspace, server, domain }: SiteOnServer,
  at: number,
  clock: number | undefined,
  look: { sums?: SiteSums; problem?: 'noLog' | 'noAccess' },
): Promise<void> =>
  insertLooks(
    world.backend.db,
    { workspace, server, at: new Date(at).toISOString() },
    { ...(clock !== undefined && { clock }), sites: new Map([[domain, { places, ...look }]]) },
  );
const trafficOf = ({ workspace, server, domain }: SiteOnServer, now: number, hours = 1) =>
  siteHistory(world.backend.db, { workspace, domain, server: { id: server, alias: 'web-1' }, hours }, now);

const now = Date.now();
const ago = (minutes: number): number => now - minutes * MINUTE;

test('the first look begins to count, and rates go by the clock of the server, or ours after its restart', async () => {
  const site = newSite();
  await keep(site, ago(5), 1000, { sums: sums(0) });
  expect(await trafficOf(site, ago(4))).toMatchObject({ points: [], problem: 'notLooked' });
  expect(await placesOf(world.backend.db, site.server)).toEqual([{ domain: site.domain, places }]);
  await keep(site, ago(4), 1050, { sums: sums(100) });
  await keep(site, ago(3), 20, {
    sums: sums(60, { classes: [0, 30, 10, 15, 5], times: { '0': 54, '49': 6 } }),
  });
  await keep(site, ago(2), undefined, { sums: sums(120, { sampled: true, timed: 0, times: {} }) });
  const { points, totals, sampled, newest, problem } = await trafficOf(site, ago(1));
  expect(points.map(({ requests }) => requests?.avg)).toEqual([2, 1, 2]);
  expect(points.map(({ failed }) => failed?.avg)).toEqual([0, 5 / 60, 0]);
  expect(points.map(({ p50, p95 }) => [p50, p95].map((one) => one?.toFixed(3)))).toEqual([
    ['0.003', '0.003'],
    ['0.000', '0.102'],
    [undefined, undefined],
  ]);
  expect(totals).toMatchObject({
    requests: 280,
    ok: 250,
    redirected: 10,
    refused: 15,
    failed: 5,
    timed: 160,
  });
  expect({ sampled, problem }).toEqual({ sampled: true, problem: undefined });
  expect(newest).toMatchObject({ requests: { avg: 2 } });
});

test('a problem is stored, and does not lose how far the files were read', async () => {
  const site = newSite();
  expect((await trafficOf(site, now)).problem).toBe('notLooked');
  await keep(site, ago(3), 10, { sums: sums(0) });
  await keep(site, ago(2), 70, { problem: 'noAccess' });
  expect((await trafficOf(site, ago(1))).problem).toBe('noAccess');
  expect(await placesOf(world.backend.db, site.server)).toEqual([{ domain: site.domain, places }]);
  await keep(site, ago(1), 130, { problem: 'noLog' });
  expect((await trafficOf(site, now)).problem).toBe('noLog');
  // Its next log is new from its first line on.
  expect(await placesOf(world.backend.db, site.server)).toEqual([{ domain: site.domain, places: [] }]);
});

test('after a month the rows of an hour are added up, and after three they are gone', async () => {
  const { db } = world.backend;
  const site = newSite();
  const hour = Math.floor((now - 40 * DAY) / (60 * MINUTE)) * 60 * MINUTE;
  await keep(site, hour - 60 * DAY, 1, { sums: sums(0) });
  await keep(site, hour - 60 * DAY + MINUTE, 61, { sums: sums(9) });
  for (const minute of [1, 2, 3])
    await keep(site, hour + minute * MINUTE, 1000 + minute * 60, {
      sums: sums(60, { classes: [0, 50, 0, 9, 1], times: { '0': 40, [String(minute)]: 20 } }),
    });
  await ageTraffic(db, new Date(now).toISOString());
  const { rows } = await db.query<{ requests: string; s4: string; times: object; at: Date }>(
    'select requests, s4, times, at from app.site_traffic where domain = $1',
    [site.domain],
  );
  expect(rows).toEqual([
    {
      requests: '180',
      s4: '27',
      times: { '0': 120, '1': 20, '2': 20, '3': 20 },
      at: new Date(hour + 3 * MINUTE),
    },
  ]);
  await ageTraffic(db, new Date(now).toISOString());
  expect((await trafficOf(site, now, 2160)).totals).toMatchObject({ requests: 180, failed: 3, timed: 180 });
});
