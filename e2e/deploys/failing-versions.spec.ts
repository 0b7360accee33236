/** Versions that fail after they became healthy, and images with a health check of their own. covers: DEP-01 */
import type { ReleaseView } from '@quarterdeck/projections';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../peers/backend';
import { packagesLack } from '../peers/debian-packages';
import { needs, throwawayHostLacks } from '../peers/throwaway-needs';
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

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

const TOKEN = 'ghp_canary0123456789canary0123456789cana';
const images: Record<string, ImageOptions> = {
  v1: {},
  v2: { check: 'true' },
  // Healthy before the switch, and asked once more before it.
  brief: { answers: 2 },
  unwell: { check: 'false' },
};

if (lacking.length === 0) {
  let world: World;
  let alice: Operator;
  let server: ContainerServer;
  let service: string;
  let packageOf: Record<string, string>;

  beforeAll(async () => {
    world = await openWorld({ env: { CONTAINER_REGISTRY: REGISTRY } });
    alice = await world.backend.signIn();
    server = await startContainerServer(TOKEN);
    await good(alice, 'profile/gh-token/update', { value: TOKEN });
    for (const [tag, how] of Object.entries(images)) await server.push(tag, how);
    const at = await server.register(alice);
    ({ service, packageOf } = await addService(alice, at, Object.keys(images)));
  });
  afterAll(async () => {
    await world?.end();
    await server?.host.stop();
  });

  const deploy = async (tag: string, more: object = {}) => {
    const asked = { id: service, packageId: packageOf[tag], ...more };
    const { runId } = await good<{ runId: string }>(alice, 'deploy', asked);
    return { id: runId, ...(await ended(alice, runId)) };
  };
  const serving = async () =>
    (await good<ReleaseView[]>(alice, 'deploy/release/running', { service: { id: service } })).map(
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
      ...['failed', 'takenBack'],
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
      ...{ state: 'failed', serves: false, reason: expect.stringContaining('was taken back') },
    });
    expect([await serving(), await answer(), await left()]).toEqual([['v1'], 'v1\n', 1]);
  });

  test("an image's own health check has to succeed too", async () => {
    const { run, out } = await deploy('unwell', { healthSeconds: 3 });
    expect([run.state, run.code, out]).toEqual([
      ...['failed', 'imageUnhealthy'],
      expect.stringContaining("The image's own health check did not succeed within 3 s: it says unhealthy."),
    ]);
    expect([await serving(), await answer(), await left()]).toEqual([['v1'], 'v1\n', 1]);
    expect((await deploy('v2')).run.reason).toBeUndefined();
    expect([await serving(), await answer(), await left()]).toEqual([['v2'], 'v2\n', 1]);
  });
}
