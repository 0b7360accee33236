/** A real nginx: the sums of a site are those of its log files, through a rotation. */
// covers: OPS-04
import type { Answer, traffic } from '@quarterdeck/contract';
import { probeEverySecond } from '../backend/health-watch';
import { openWorld, type World } from '../backend/world';
import { good } from '../deploys/container-server';
import { setupTestsLack } from '../servers/setup-world';
import { siteWork, startSitePlace, type SitePlace, type SiteWork } from '../webserver/site-ground';
import { siteServerSetUp } from '../webserver/site-server';
import { TrafficWatch } from '../../apps/backend/src/traffic/traffic-watch';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { needs } from '../../testing/throwaway-needs';

const lacking = setupTestsLack(['nginx']);
needs('this machine can bring up throw-away servers with nginx', lacking);

type Traffic = Answer<typeof traffic.site>;

if (lacking.length === 0) {
  let place: SitePlace;
  let world: World;
  let alice: Operator;
  let work: SiteWork;
  let app: string;
  let name: string;

  beforeAll(async () => {
    place = await startSitePlace();
    world = await openWorld({ env: { ...place.env, HEALTH_CHECKS: 'on' } });
    alice = await world.backend.signIn();
    await probeEverySecond(world.backend, { failures: 2, outOf: 3 });
    work = siteWork(() => alice, place);
    await place.inside(siteServerSetUp);
    const server = await work.register();
    app = await work.domain('app', server);
    name = `app.${place.bind.zone}`;
    await work.location(app, { location: '/' });
    await work.location(app, { location: '/down', url: 'http://127.0.0.1:9' });
    await place.inside(
      `mkdir -p /root/volumes/static/${name} && head -c 5000 /dev/zero > /root/volumes/static/${name}/index.html`,
    );
    await good(alice, 'server/contact', { id: server });
  });
  afterAll(async () => {
    await world?.end();
    await place?.stop();
  });

  const look = (): Promise<void> => world.backend.app.get(TrafficWatch, { strict: false }).lookAtAll();
  const seen = (headers?: Record<string, string>) =>
    alice.post<Traffic>('traffic/site', { id: app, hours: 1 }, headers).then(({ body }) => body);
  const ask = (path: string, times: number): Promise<string> =>
    place.inside(
      `for n in $(seq ${times}); do curl -s -o /dev/null -H 'Host: ${name}' http://127.0.0.1${path}; done`,
    );
  const logs = `/root/volumes/.quarterdeck/logs/${'*'}`;

  test('a site that is not applied yet says that it has no log', async () => {
    await until(async () => {
      await look();
      return (await seen()).problem === 'noLog';
    }, 300);
    expect(await seen()).toMatchObject({ points: [], totals: { requests: 0 }, sampled: false });
  });

  test('requests, statuses, bytes and times are those of the files, through a rotation', async () => {
    const { run, out } = await work.run('nginx/exec', { id: app });
    expect([run.state, out]).toEqual(['succeeded', expect.any(String)]);
    await look();
    await ask('/', 30);
    await ask('/missing', 7);
    await look();
    await ask('/down', 5);
    const folder = (
      await place.inside(
        `ls -d ${logs.replace('*', name)} /root/.quarterdeck/logs/${name} 2>/dev/null | head -n 1`,
      )
    ).trim();
    // As logrotate does it.
    await place.inside(`for one in ${folder}/*.access.log; do mv "$one" "$one.1"; done`);
    await ask('/', 4);
    await look();
    await place.inside('nginx -s reopen');
    await until(async () => (await place.inside(`ls ${folder}/*.access.log | wc -l`)).trim() !== '0');
    await ask('/', 6);
    await look();
    await ask('/', 2);
    await look();

    const lines = (await place.inside(`cat ${folder}/*.access.log ${folder}/*.access.log.1`))
      .trim()
      .split('\n');
    const fields = lines.map((line) => /" (\d)\d\d (\d+) ".*" (\d+\.\d+)$/.exec(line) ?? []);
    const count = (digit: string) => fields.filter(([, status]) => status === digit).length;
    const { totals, points, newest, problem, sampled } = await seen();
    expect(totals).toMatchObject({
      requests: lines.length,
      ok: count('2'),
      redirected: count('3'),
      refused: count('4'),
      failed: count('5'),
      bytes: fields.reduce((sum, [, , bytes]) => sum + Number(bytes), 0),
      timed: lines.length,
    });
    expect([totals.ok >= 42, totals.refused >= 7, totals.failed >= 5]).toEqual([true, true, true]);
    const times = fields.map(([, , , seconds]) => Number(seconds)).toSorted((one, other) => one - other);
    const p95 = times[Math.ceil(times.length * 0.95) - 1] ?? NaN;
    // Times are counted in steps of 10 %.
    expect(Math.abs((totals.p95 ?? NaN) - p95)).toBeLessThanOrEqual(Math.max(0.001, p95 * 0.1));
    expect({ problem, sampled }).toEqual({ problem: undefined, sampled: false });
    expect(points.length).toBeGreaterThan(0);
    expect(newest?.requests?.avg).toBeGreaterThan(0);
  });

  test('the past shows its own figures, and other workspaces see none', async () => {
    const then = await seen();
    await good(alice, 'product/insert', { data: { name: 'Later', description: '' } });
    const at = await world.backend.resources.store.head();
    await ask('/', 3);
    await look();
    expect((await seen()).totals.requests).toBe(then.totals.requests + 3);
    expect((await seen({ 'x-at': at })).totals.requests).toBe(then.totals.requests);
    const stranger = await world.backend.signIn({ workspace: 'elsewhere' });
    expect((await stranger.post('traffic/site', { id: app, hours: 1 })).status).toBe(404);
  });

  test('a log without times, as older configurations write it, is counted without them', async () => {
    const before = (await seen()).totals;
    const file = (
      await place.inside(`grep -l 'log_format quarterdeck_' /root/volumes/nginx_config/${name}.conf`)
    ).trim();
    await place.inside(
      `sed -i -e '/log_format/d' -e 's/ quarterdeck_[0-9a-f]*;/;/' ${file} && nginx -t && nginx -s reload`,
    );
    await until(async () => {
      await ask('/', 1);
      await look();
      const { totals } = await seen();
      return totals.requests - totals.timed > before.requests - before.timed;
    }, 100);
  });
}
