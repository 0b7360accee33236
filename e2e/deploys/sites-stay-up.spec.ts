/**
 * What may take a site down although its deploy looks good: a version that dies, a port that changed.
 * covers: DEP-01
 */
import { isDeepStrictEqual } from 'node:util';
import { service as noun } from '@quarterdeck/events';
import type { AlertView, NewestHealth, DeployView, ServiceState } from '@quarterdeck/projections';
import { probeEverySecond } from '../backend/health-watch';
import { openWorld, type World } from '../backend/world';
import { startBind, type Bind } from '../../testing/bind';
import type { Operator } from '../../testing/backend';
import { packagesLack } from '../../testing/debian-packages';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import {
  addService,
  ended,
  good,
  packages,
  REGISTRY,
  startContainerServer,
  type ContainerServer,
  type ImageOptions,
} from './container-server';
import { until } from '../../testing/patience';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

const NAME = 'shop.example.test';
const TOKEN = 'ghp_canary0123456789canary0123456789cana';
const images: Record<string, ImageOptions> = {
  v1: {},
  // Well until somebody says otherwise.
  v2: { check: '! ls /unwell' },
  // Healthy before the switch, and asked once more before it.
  brief: { answers: 2 },
  unwell: { check: 'false' },
  vport: {},
};

if (lacking.length === 0) {
  let bind: Bind;
  let world: World;
  let alice: Operator;
  let server: ContainerServer;
  let at: string;
  let service: string;
  let packageOf: Record<string, string>;

  beforeAll(async () => {
    bind = await startBind();
    server = await startContainerServer(TOKEN, { address: true });
    bind.change(`add ${NAME} 60 A ${server.host.host}`);
    const env = {
      HEALTH_CHECKS: 'on',
      CONTAINER_REGISTRY: REGISTRY,
      DNS_SERVERS: bind.server,
      OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    world = await openWorld({ env });
    alice = await world.backend.signIn();
    await probeEverySecond(world.backend, { failures: 1, outOf: 1 });
    await good(alice, 'profile/gh-token/update', { value: TOKEN });
    for (const [tag, how] of Object.entries(images)) await server.push(tag, how);
    at = await server.register(alice);
    ({ service, packageOf } = await addService(alice, at, Object.keys(images)));
  });
  afterAll(async () => {
    await world?.end();
    await server?.host.stop();
    await bind?.stop();
  });

  const deploy = async (tag: string, more: object = {}) => {
    const asked = { id: service, packageId: packageOf[tag], ...more };
    const { runId } = await good<{ runId: string }>(alice, 'deploy', asked);
    return { id: runId, ...(await ended(alice, runId)) };
  };
  const serving = async () =>
    (await good<DeployView[]>(alice, 'deploy/release/running', { service: { id: service } })).map(
      ({ package: { version } }) => version,
    );
  const answer = () => server.inside('curl -s -m 5 http://127.0.0.1:3000/ || echo refused');
  const left = async () => {
    const names = await server.inside('docker ps --all --filter label=quarterdeck.service --quiet');
    return names.trim().split('\n').filter(Boolean).length;
  };

  test('the first version that dies after it went live leaves nothing behind', async () => {
    const { run, out } = await deploy('brief');
    expect([run.state, run.code, run.reason, out]).toEqual([
      'failed',
      'takenBack',
      expect.stringMatching(/went live and failed there.*The container ended/),
      expect.any(String),
    ]);
    expect([await serving(), await answer(), await left()]).toEqual([[], 'refused\n', 0]);
    expect(await server.inside('ls /root/volumes/nginx_config')).not.toContain('quarterdeck-service');
  });

  test('a version that dies after it went live is taken back, and the one before it serves', async () => {
    expect((await deploy('v1')).run.reason).toBeUndefined();
    const { id, run } = await deploy('brief');
    expect(run).toMatchObject({ state: 'failed', code: 'takenBack' });
    expect(await good(alice, 'deploy/release/detail', { id })).toMatchObject({
      state: 'failed',
      serves: false,
      reason: expect.stringContaining('was taken back'),
    });
    expect([await serving(), await answer(), await left()]).toEqual([['v1'], 'v1\n', 1]);
  });

  test("an image's own health check has to succeed too", async () => {
    const { run, out } = await deploy('unwell', { healthSeconds: 3 });
    expect([run.state, run.code, out]).toEqual([
      'failed',
      'imageUnhealthy',
      expect.stringContaining("The image's own health check did not succeed within 3 s: it says unhealthy."),
    ]);
    expect([await serving(), await answer(), await left()]).toEqual([['v1'], 'v1\n', 1]);
    expect((await deploy('v2')).run.reason).toBeUndefined();
    expect([await serving(), await answer(), await left()]).toEqual([['v2'], 'v2\n', 1]);
  });

  test('a changed port takes no site down: its locations are named, and move with the deploy', async () => {
    const domain = await good<{ id: string }>(alice, 'domain/insert', {
      serverName: NAME,
      server: { id: at },
    });
    const locate = (location: string, url: string) =>
      good(alice, 'domain/location/insert', { domain: { id: domain.id }, data: { location, url } });
    await locate('/', 'http://127.0.0.1:3000');
    await locate('/shop', 'http://localhost:3000/');
    await locate('/other', 'http://127.0.0.1:30001/');
    const options = { docker: false, ssl: false, gzip: true };
    const applied = async () => {
      const { runId } = await good<{ runId: string }>(alice, 'nginx/exec', { id: domain.id, options });
      expect((await ended(alice, runId)).run.reason).toBeUndefined();
    };
    await applied();
    const site = (path: string) =>
      server.inside(`curl -s -m 5 --header 'Host: ${NAME}' http://127.0.0.1${path}`);
    expect([await site('/'), await site('/shop')]).toEqual(['v2\n', 'v2\n']);

    const view = await good<Record<string, unknown>>(alice, 'service/detail', { id: service });
    const data = Object.fromEntries(Object.keys(noun.fields).map((field) => [field, view[field]]));
    const plan = () =>
      good<{ moves: object[]; waiting: object[] }>(alice, 'deploy/service/plan', { id: service });
    expect(await plan()).toEqual({ port: 3000, moves: [], waiting: [] });
    await good(alice, 'service/update', { id: service, data: { ...data, port: 3504 } });
    const moved = (path: string) => ({
      domain: { id: domain.id, name: NAME },
      location: { id: expect.any(String), path },
      from: 3000,
    });
    expect(await plan()).toEqual({
      port: 3504,
      moves: [moved('/'), moved('/shop')],
      waiting: [{ site: NAME, port: 3000 }],
    });
    // The form has another port, and the service still answers at its own.
    const leading = (id: string) =>
      good<object[]>(alice, 'domain/location/listByService', { service: { id } });
    expect(await leading(service)).toMatchObject([{ location: '/' }, { location: '/shop' }]);
    const grab = await addService(alice, at, ['v1'], { name: 'Grab' });
    expect(await leading(grab.service)).toEqual([]);
    const stop = await server.probe({ port: 80, path: '/', headers: { host: NAME } });
    const { id, run, out } = await deploy('vport');
    expect([run.state, run.reason, out]).toEqual([
      'succeeded',
      undefined,
      expect.stringContaining(`${NAME} /shop now leads to port 3504 instead of 3000.`),
    ]);
    expect(await good(alice, 'deploy/release/detail', { id })).toMatchObject({ port: 3504, alsoAt: [3000] });
    const urls = async () =>
      (await good<{ url: string }[]>(alice, 'domain/location/list', { domain: { id: domain.id } })).map(
        ({ url }) => url,
      );
    const lead = async (port: number): Promise<void> => {
      const expected = [`http://127.0.0.1:${port}`, `http://localhost:${port}/`, 'http://127.0.0.1:30001/'];
      await until(async () => isDeepStrictEqual(await urls(), expected));
    };
    await lead(3504);
    // The site answers before and after it is applied, after several deploys, and when another service asks for the port.
    expect(await site('/')).toBe('vport\n');
    const { body } = await alice.post('deploy', { id: grab.service, packageId: grab.packageOf['v1'] });
    expect(JSON.stringify(body)).toContain('Orders still answers there');
    const again = await deploy('vport');
    expect([again.run.reason, again.out]).toEqual([undefined, expect.not.stringContaining('printf')]);
    expect(await site('/')).toBe('vport\n');
    await good(alice, 'service/update', { id: service, data: { ...data, port: 3505 } });
    expect((await plan()).waiting).toEqual([{ site: NAME, port: 3000 }]);
    expect((await deploy('vport')).run.reason).toBeUndefined();
    expect(await site('/')).toBe('vport\n');
    await lead(3505);
    await applied();
    expect([await site('/'), await site('/shop')]).toEqual(['vport\n', 'vport\n']);
    expect((await stop()).failed).toEqual([]);

    // The next deploy, here a rollback, gives the earlier port up.
    const before = (
      await good<DeployView[]>(alice, 'deploy/release/list', { service: { id: service } })
    ).find((one) => one.package.version === 'v2' && one.served);
    const { runId } = await good<{ runId: string }>(alice, 'deploy/release/rollback', { id: before?.id });
    expect((await ended(alice, runId)).run.reason).toBeUndefined();
    expect(await site('/')).toBe('v2\n');
    expect(await good(alice, 'deploy/release/detail', { id: runId })).not.toHaveProperty('alsoAt');
    expect(await answer()).toBe('refused\n');
  });

  test('a service that fails later is shown as that everywhere, and an alert says so until it serves again', async () => {
    const said = async () => (await good<NewestHealth[]>(alice, 'health/list', {}))[0]?.services?.[service];
    // The site that leads to the service has alerts of its own.
    const alerts = async () =>
      (await good<AlertView[]>(alice, 'alert/list', { open: true })).filter(
        ({ about }) => about !== 'siteDown',
      );
    const attention = async () =>
      (await good<{ attention: { kind: string; label: string }[] }>(alice, 'home/overview', {})).attention;
    await until(async () => (await said()) === 'serving');
    expect(await alerts()).toEqual([]);
    const breakIt = async (line: string, state: ServiceState): Promise<void> => {
      await server.inside(line);
      await until(async () => (await said()) === state);
    };
    const one = '$(docker ps --all --quiet --filter label=quarterdeck.service)';
    // Its address is gone: nginx has nothing to pass requests to.
    await breakIt(`docker exec ${one} sh -c 'kill -STOP 1; pid=$(pidof httpd); kill $pid'`, '502');
    await until(async () => (await alerts()).length === 1);
    expect(await alerts()).toMatchObject([
      { about: 'serviceDown', subject: { id: service }, says: expect.stringMatching(/^Orders .* on web-/) },
    ]);
    expect(await attention()).toContainEqual(
      expect.objectContaining({ kind: 'alert', label: expect.stringMatching(/^Orders does not answer/) }),
    );
    await breakIt(`docker kill ${one}`, 'stopped');
    await breakIt(`docker start ${one}`, 'serving');
    await until(async () => (await alerts()).length === 0);
    // Its image says what it thinks of itself.
    await breakIt(`docker exec ${one} touch /unwell`, 'unhealthy');
  });
}
