/** Real containers of services: their figures are those of docker, and their restarts are counted. */
// covers: OPS-04
import type { Answer, health } from '@quarterdeck/contract';
import { probeEverySecond } from '../backend/health-watch';
import { openWorld, type World } from '../backend/world';
import { good } from '../deploys/container-server';
import type { Operator } from '../../testing/backend';
import { packagesLack } from '../../testing/debian-packages';
import { engineLine, enginePackages } from '../../testing/docker-engine';
import { until } from '../../testing/patience';
import { fieldsOf } from '../../testing/server-fields';
import { startThrowawayHost, type ThrowawayHost } from '../../testing/throwaway-host';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';

const packages = [...enginePackages, 'busybox-static'];
const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up a throw-away server with docker', lacking);

const setUp = `set -e
${engineLine('busybox-static')}
mkdir -p /srv/image/bin /root/volumes/nginx_config
cp -L "$(command -v busybox)" /srv/image/bin/busybox
for one in sh sleep head tr dd httpd; do ln -sf busybox /srv/image/bin/$one; done
tar -C /srv/image -c . | docker import --change 'ENV PATH=/bin' - local/shop:1`;

type Metrics = Answer<typeof health.service>;

if (lacking.length === 0) {
  let world: World;
  let host: ThrowawayHost;
  let alice: Operator;
  let server: string;
  let product: string;

  const inside = async (line: string): Promise<string> => {
    const { code, out } = await host.inside(line);
    if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
    return out.trim();
  };
  const add = async (name: string, port: number): Promise<string> => {
    const data = {
      name,
      nameFront: '',
      organization: 'acme',
      repo: 'orders',
      repoFront: '',
      server: { id: server },
      port,
      packageType: 'container',
      packageSubfolder: '',
      withDb: false,
    };
    const { id } = await good<{ id: string }>(alice, 'service/insert', { data, product: { id: product } });
    // As a deploy leaves it.
    await inside(
      `printf 'listen 127.0.0.1:${port};\\nproxy_pass http://127.0.0.1:1;\\n' >/root/volumes/nginx_config/quarterdeck-service-${id}.conf`,
    );
    return id;
  };
  const begin = (of: string, name: string, does: string, more = ''): Promise<string> =>
    inside(
      `docker run -d --name ${name} --label quarterdeck.service=${of} ${more} local/shop:1 sh -c '${does}'`,
    );
  const metrics = (id: string, hours = 1) => good<Metrics>(alice, 'health/service', { id, hours });
  const untilMetrics = async (id: string, holds: (found: Metrics) => boolean): Promise<Metrics> => {
    let found = await metrics(id);
    await until(async () => holds((found = await metrics(id))), 300);
    return found;
  };

  beforeAll(async () => {
    [world, host] = await Promise.all([
      openWorld({ env: { HEALTH_CHECKS: 'on' } }),
      startThrowawayHost({ packages: true }),
    ]);
    await inside(setUp);
    alice = await world.backend.signIn({ email: 'alice@example.org' });
    await probeEverySecond(world.backend, { failures: 2, outOf: 3 });
    const { privateKey } = await host.keyFor('ed25519');
    const fields = { ...fieldsOf('web-1', host), privateKey };
    server = (await good<{ id: string }>(alice, 'server/insert', fields)).id;
    await good(alice, 'server/contact', { id: server });
    const shop = { data: { name: 'Shop', description: '' } };
    product = (await good<{ id: string }>(alice, 'product/insert', shop)).id;
  });
  afterAll(async () => {
    await world?.end();
    await host?.stop();
  });

  test('processor, memory and network are near what docker stats says', async () => {
    const id = await add('Orders', 3001);
    await begin(
      id,
      'orders',
      'x=$(head -c 30000000 /dev/zero | tr "\\000" x); dd if=/dev/zero of=/large bs=1M count=3; httpd -p 80 -h /; while :; do :; done',
      '--cpus 0.5 --memory 256m',
    );
    await inside(
      `ip=$(docker inspect -f '{{.NetworkSettings.IPAddress}}' orders); until curl -s -o /dev/null "http://$ip/large"; do sleep 0.2; done`,
    );
    const found = await untilMetrics(id, ({ newest }) => (newest?.cpu ?? 0) > 0.2);
    const [percent = '', memory = ''] = (
      await inside("docker stats --no-stream --format '{{.CPUPerc}} {{.MemUsage}}' orders")
    ).split(' ');
    const cpu = Number.parseFloat(percent) / 100;
    expect(found.newest?.cpu).toBeGreaterThan(cpu / 3);
    expect(found.newest?.cpu).toBeLessThan(cpu * 3 + 0.1);
    const mebibytes = Number.parseFloat(memory);
    expect(memory).toMatch(/MiB$/);
    expect((found.newest?.memory ?? 0) / 2 ** 20).toBeGreaterThan(mebibytes * 0.7);
    expect((found.newest?.memory ?? 0) / 2 ** 20).toBeLessThan(mebibytes * 1.3);
    expect(found.newest).toMatchObject({ state: 'running', limit: 256 * 2 ** 20 });
    expect(found).toMatchObject({ restarted: 0, server: { id: server, alias: 'web-1' } });
    expect(found).not.toHaveProperty('problem');
    await until(async () => {
      const { rows } = await world.backend.db.query<{ sent: string }>(
        'select max(sent) as sent from app.service_samples where service = $1',
        [id],
      );
      return Number(rows[0]?.sent) > 3_000_000;
    });

    // The next container begins its counters anew: no figure is below zero, and a deploy is no restart.
    await inside('docker rm -f orders');
    await begin(id, 'orders-2', 'sleep 1000');
    const container = (await inside('docker inspect -f "{{.Id}}" orders-2')).slice(0, 12);
    const replaced = await untilMetrics(
      id,
      ({ newest }) => newest?.container === container && newest.cpu !== undefined,
    );
    expect(replaced.restarted).toBe(0);
    for (const { cpu: one, received, sent } of replaced.points)
      for (const range of [one, received, sent]) expect(range?.min ?? 0).toBeGreaterThanOrEqual(0);
    expect(replaced.newest?.cpu).toBeLessThan(0.2);
    expect(replaced.newest).not.toHaveProperty('limit');
  });

  test('a crash loop and a restart by hand are counted', async () => {
    const id = await add('Mailer', 3002);
    await begin(id, 'mailer', 'sleep 0.1; exit 3', '--restart always');
    const counted = await untilMetrics(id, ({ restarted }) => restarted >= 3);
    expect(counted.restarts.reduce((sum, { count }) => sum + count, 0)).toBe(counted.restarted);
    expect(counted.points.reduce((sum, { restarts }) => sum + restarts, 0)).toBe(counted.restarted);
    expect(counted.restarted).toBeLessThanOrEqual(
      Number(await inside('docker inspect -f "{{.RestartCount}}" mailer')),
    );
    const ended = await untilMetrics(id, ({ newest }) => newest?.state === 'restarting');
    expect(ended.newest).toMatchObject({ state: 'restarting', exitCode: 3 });
    await inside('docker rm -f mailer');
    const gone = await untilMetrics(id, ({ problem }) => problem === 'noContainer');
    expect(gone.newest?.container).toBe(ended.newest?.container);

    await begin(id, 'steady', 'sleep 1000');
    const { restarted: before } = await untilMetrics(
      id,
      ({ newest, problem }) => !problem && newest?.cpu !== undefined,
    );
    await inside('docker restart --time 0 steady');
    await untilMetrics(id, ({ restarted }) => restarted === before + 1);
  });

  test('the past shows its own figures, and other workspaces see none', async () => {
    const id = await add('Search', 3003);
    await begin(id, 'search', 'sleep 1000');
    const first = await untilMetrics(id, ({ newest }) => newest?.cpu !== undefined);
    await good(alice, 'product/insert', { data: { name: 'Later', description: '' } });
    const at = await world.backend.resources.store.head();
    await untilMetrics(id, ({ points }) => points.length > first.points.length);
    const then = await alice.post<Metrics>('health/service', { id, hours: 1 }, { 'x-at': at });
    expect(then.body.points.length).toBeLessThan((await metrics(id)).points.length);
    expect(then.body.newest?.container).toBe(first.newest?.container);
    const stranger = await world.backend.signIn({ workspace: 'elsewhere' });
    expect((await stranger.post('health/service', { id, hours: 1 })).status).toBe(404);
  });

  test('says why there are no figures', async () => {
    const id = await add('Idle', 3004);
    expect(await untilMetrics(id, ({ problem }) => problem === 'noContainer')).not.toHaveProperty('newest');
    await inside('systemctl stop docker.socket docker');
    await untilMetrics(id, ({ problem }) => problem === 'dockerStopped');
    await host.stop();
    await untilMetrics(id, ({ problem }) => problem === 'unreachable');
  });
}
