/** An engine that is restarted before each call that a deploy makes of it. covers: DEP-01 */
import type { DeployView } from '@quarterdeck/projections';
import { openWorld, type World } from '../../backend/world';
import {
  addService,
  ended,
  good,
  packages,
  REGISTRY,
  startContainerServer,
  type ContainerServer,
} from '../../deploys/container-server';
import { armRestart, restartedBefore, wrapDocker, type Call } from '../../deploys/engine-restarts';
import type { Operator } from '../../../testing/backend';
import { packagesLack } from '../../../testing/debian-packages';
import { needs, throwawayHostLacks } from '../../../testing/throwaway-needs';
import { until } from '../../../testing/patience';
import { fault } from '../fault';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

const TOKEN = 'ghp_canary0123456789canary0123456789cana';

const callsAfter = (after: string, ...numbers: number[]): Call[] => numbers.map((nth) => ({ after, nth }));
/** While the new version becomes healthy, while it is watched, and while the old one is removed. The worst one first. */
const calls: readonly Call[] = [
  ...callsAfter('update', 0, 1, 2, 3, 4, 5, 6, 7, 8),
  ...callsAfter('stop', 0, 1, 2, 3),
  ...callsAfter('run', 0, 1, 2),
  ...callsAfter('version', 0, 1, 2, 3, 4, 5, 6, 7),
];
/** So many turns are all calls: `npm test` makes one of them. */
const TURNS = 9;

if (lacking.length === 0) {
  let world: World;
  let alice: Operator;
  let server: ContainerServer;
  let service: string;
  let packageOf: Record<string, string>;
  const versions = ['v1', 'v2', 'v3'];
  let at = 0;

  beforeAll(async () => {
    // The calls during the watch are among those.
    world = await openWorld({ env: { CONTAINER_REGISTRY: REGISTRY, DEPLOY_WATCH_SECONDS: '5' } });
    alice = await world.backend.signIn();
    server = await startContainerServer(TOKEN);
    await good(alice, 'profile/gh-token/update', { value: TOKEN });
    for (const tag of versions) await server.push(tag);
    ({ service, packageOf } = await addService(alice, await server.register(alice), versions));
    await wrapDocker(server);
    await deploy();
    await deploy();
  });
  afterAll(async () => {
    await world?.end();
    await server?.host.stop();
  });

  const serving = async (): Promise<DeployView | undefined> => {
    const running = await good<DeployView[]>(alice, 'deploy/release/running', { service: { id: service } });
    expect(running).toHaveLength(1);
    return running[0];
  };
  const deploy = async () => {
    const asked = { id: service, packageId: packageOf[versions[at++ % versions.length] ?? ''] };
    const { runId } = await good<{ runId: string }>(alice, 'deploy', asked);
    return { id: runId, ...(await ended(alice, runId)) };
  };
  const rollBack = async () => {
    const all = await good<DeployView[]>(alice, 'deploy/release/list', { service: { id: service } });
    const now = await serving();
    const to = all.find((one) => one.served && one.package.version !== now?.package.version);
    const { runId } = await good<{ runId: string }>(alice, 'deploy/release/rollback', { id: to?.id });
    return { id: runId, ...(await ended(alice, runId)) };
  };
  const containers = async () =>
    (
      await server.inside(
        `/usr/bin/docker ps --filter label=quarterdeck.service --format '{{.Label "quarterdeck.release"}}'`,
      )
    ).trim();

  const disturbed = async (turn: number, begin: typeof deploy): Promise<string> => {
    const seen: string[] = [];
    for (const [index, call] of calls.entries()) {
      if (index % TURNS !== turn % TURNS) continue;
      const how = (index + Math.floor(turn / TURNS)) % 2 === 0 ? 'restarted' : 'killed';
      await armRestart(server, call, how);
      const { id, run, out } = await begin();
      const hit = await restartedBefore(server);
      // A number that no call has tests nothing.
      expect([call, hit]).toEqual([call, expect.stringMatching(/./)]);
      const what = `${how} before ${hit}`;
      expect([what, run.state, run.reason, out]).toEqual([what, 'succeeded', undefined, out]);
      const release = await serving();
      expect([what, release?.id]).toEqual([what, id]);
      // A restarted engine needs a moment until its containers run again.
      await until(
        async () =>
          (await server.inside('curl -s -m 5 http://127.0.0.1:3000/ || true')).trim() ===
          release?.package.version,
      );
      expect([what, await containers()]).toEqual([what, id]);
      seen.push(what);
    }
    return seen.join(', ');
  };

  fault({
    fault: 'the docker engine restarted before a call of a deploy',
    must: 'the new version serves, runs on, and is the one that the record names',
    trial: (turn) => disturbed(turn, deploy),
  });
  fault({
    fault: 'the docker engine restarted before a call of a rollback',
    must: 'the new version serves, runs on, and is the one that the record names',
    trial: (turn) => disturbed(turn, rollBack),
  });
}
