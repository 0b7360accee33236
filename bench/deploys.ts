/**
 * Twenty deploys of a container, five of which never become healthy, while a visitor asks 50 times a second: requests lost,
 * and the time from the call until the new version answers at the port of the service. Floor: `docker pull && docker run`
 * by hand of such an image on the same server, until it is healthy.
 */
import { randomUUID } from 'node:crypto';
import {
  addService,
  ended,
  good,
  packages,
  REGISTRY,
  SHOP,
  startContainerServer,
  type ContainerServer,
} from '../e2e/deploys/container-server';
import { packagesLack } from '../testing/debian-packages';
import { operator, type Operator } from '../testing/operator';
import { throwawayHostLacks } from '../testing/throwaway-lacks';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { compare, finish, isQuick, state, turnsOf, type Line } from './harness';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
if (lacking.length > 0) {
  console.error(`deploys are not measured on this machine: ${lacking.join('; ')}`);
  process.exit(1);
}

const TOKEN = 'ghp_token-of-the-benchmark-0123456789abcdef';
/** Each is pulled whenever its turn comes: the server keeps only the one that serves. */
const TAGS = ['v1', 'v2', 'v3'];
/** With the turn that warms up: every fourth deploy is one that never becomes healthy. */
const TURNS = turnsOf(14);
/** For how long a new version is watched beside the one before it, while the visitor goes on. */
const WATCH_SECONDS = isQuick ? '2' : '10';

/** Ends with an error instead of waiting for ever. */
const answers = (line: string): string =>
  `timeout 60 sh -c 'until ${line}; do sleep 0.02; done' || { echo 'no answer within a minute'; exit 1; }`;

const byHand = (server: ContainerServer) => async (): Promise<number> => {
  const began = performance.now();
  await server.inside(`docker pull --quiet ${SHOP}:hand
    docker run --detach --name hand --env PORT=3000 --publish 127.0.0.1:3900:3000 ${SHOP}:hand
    ${answers('curl --silent --fail http://127.0.0.1:3900/health')}`);
  const took = performance.now() - began;
  await server.inside(`docker rm --force hand; docker image rm ${SHOP}:hand`);
  return took;
};

const measure = async (who: Operator, server: ContainerServer): Promise<Line[]> => {
  await good(who, 'profile/gh-token/update', { value: TOKEN });
  for (const tag of [...TAGS, 'hand']) await server.push(tag);
  await server.push('vsick', { health: false });
  const { service, packageOf } = await addService(who, await server.register(who), [...TAGS, 'vsick']);

  const count = { served: 0, sick: 0 };
  const start = async (tag: string, healthSeconds: number): Promise<string> => {
    const runId = randomUUID();
    const asked = { id: service, packageId: packageOf[tag], keep: 1, healthSeconds, runId };
    await good(who, 'deploy', asked);
    return runId;
  };
  const end = async (run: string, state: string): Promise<void> => {
    const { run: view, out } = await ended(who, run);
    if (view.state !== state) throw new Error(`the deploy ${view.state} instead: ${view.reason}\n${out}`);
  };
  const deploy = async (): Promise<number> => {
    const tag = TAGS[count.served++ % TAGS.length] ?? 'v1';
    const began = performance.now();
    const run = await start(tag, 60);
    await server.inside(answers(`curl --silent http://127.0.0.1:3000/ | grep -qx ${tag}`));
    const took = performance.now() - began;
    await end(run, 'succeeded');
    if (count.served % 3 === 0) {
      await end(await start('vsick', 2), 'failed');
      count.sick++;
    }
    return took;
  };

  // Nothing answers before the first one.
  await end(await start('v3', 60), 'succeeded');
  const stop = await server.probe();
  const line = await compare({
    what: 'from the call to a healthy version that serves',
    unit: 'ms',
    target: { atMost: 5 },
    turns: TURNS,
    floor: { name: 'docker pull && docker run', turn: byHand(server) },
    ours: { name: 'deploy', turn: deploy },
  });
  const { sent, failed, seen } = await stop();
  if (seen.includes('vsick')) throw new Error('a version that never became healthy has answered');
  const all = `${count.served + count.sick} deploys, ${count.sick} of which never became healthy`;
  const words = `${failed.length} of ${sent.toLocaleString('en')} in ${all}`;
  return [line, state('requests lost', failed.length, { atMost: 0 }, words)];
};

await withDurablePostgres(async (url) => {
  const server = await startContainerServer(TOKEN);
  const backend = await spawnConsole(url, {
    CONTAINER_REGISTRY: REGISTRY,
    DEPLOY_WATCH_SECONDS: WATCH_SECONDS,
  });
  try {
    const who = await operator(backend.url).signIn(
      new URL(backend.signInLink).searchParams.get('code') ?? '',
    );
    finish(await measure(who, server));
  } finally {
    await backend.stop();
    await server.host.stop();
  }
});
process.exit(); // With the code that `finish` set: open sockets of the measuring side would keep it alive.
