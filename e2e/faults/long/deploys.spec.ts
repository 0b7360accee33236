/**
 * Deploys whose console, connection, script or engine dies, at every step on purpose. Those that never become healthy are in
 * `npm run bench -- deploys`. covers: DEP-01, SRV-14
 */
import type { DeployView, RunView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import {
  addClient,
  addService,
  begun,
  ended,
  good,
  packages,
  REGISTRY,
  startContainerServer,
  type ContainerServer,
} from '../../deploys/container-server';
import { spawnBackend, type BackendProcess } from '../../../testing/backend-process';
import { packagesLack } from '../../../testing/debian-packages';
import { startNpmRegistry, type NpmRegistry } from '../../../testing/npm-registry';
import { operator, type Operator } from '../../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../../testing/postgres';
import { startTcpProxy, type TcpProxy } from '../../../testing/tcp-proxy';
import { needs, throwawayHostLacks } from '../../../testing/throwaway-needs';
import { pause } from '../../../testing/patience';
import { fault, moment, within } from '../fault';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

const TOKEN = 'ghp_canary0123456789canary0123456789cana';
const NAME = '@acme/shop';
const SITES = '/root/volumes/nginx_config';

/** What is deployed again and again. */
interface Deployed {
  service: string;
  port: number;
  packageOf: Record<string, string>;
  /** The version that is deployed next: never the one that serves. */
  next(): string;
  /** A line that prints the release or version that the server has as the serving one. */
  found: string;
  /** What of a release that line prints. */
  of(release: DeployView): string;
  points: readonly Point[];
}

/** Where in a deploy something dies. */
interface Point {
  at: string;
  /** The version that is deployed then; otherwise the next one. */
  version?: string;
  /** Before the deploy: makes it wait there. */
  hold?(): Promise<unknown>;
  /** Until the deploy has come there. */
  reached?(run: string): Promise<unknown>;
  letGo?(run: string): Promise<unknown>;
}

if (lacking.length === 0) {
  let postgres: TestPostgres;
  let backend: BackendProcess;
  let alice: Operator;
  let server: ContainerServer;
  let registry: NpmRegistry;
  let wire: TcpProxy;
  let container: Deployed;
  let client: Deployed;

  const start = () =>
    spawnBackend({
      databaseUrl: postgres.url,
      env: { CONTAINER_REGISTRY: REGISTRY, NPM_REGISTRY: registry.url },
    });
  const restart = async (): Promise<void> => {
    backend = await start();
    alice = operator(backend.url, alice.cookie);
  };

  const signal = (name: string) => server.inside(`systemctl kill --signal=${name} shop-registry`);
  /** Until the line succeeds on the server, or the deploy has ended. */
  const until = (run: string, what: string, line: string) =>
    within(300_000, what, async () => {
      if ((await server.host.inside(line)).code === 0) return true;
      // A killed back end does not answer.
      const answer = await alice.post<Partial<RunView>>('run/detail', { id: run }).catch(() => undefined);
      return answer?.body.endedAt !== undefined;
    });
  const step = (name: string) => (run: string) => begun(alice, run, name);
  const ofRelease = (run: string): string => `--filter label=quarterdeck.release=${run}`;
  const portOf = (run: string): string =>
    `docker ps ${ofRelease(run)} --format '{{.Label "quarterdeck.port"}}' | grep .`;

  const containerPoints = (service: string): Point[] => [
    { at: 'the request' },
    { at: 'pull', hold: () => signal('STOP'), reached: step('pull'), letGo: () => signal('CONT') },
    {
      at: 'start',
      // Becomes healthy when it is told to.
      version: 'vslow',
      reached: (run) => until(run, 'a new container', portOf(run)),
      letGo: (run) =>
        until(
          run,
          'a healthy container',
          `docker exec $(docker ps -q ${ofRelease(run)}) sh -c 'echo ok >/www/health'`,
        ),
    },
    {
      at: 'the switch',
      reached: (run) =>
        until(
          run,
          'a switched proxy',
          `grep "127.0.0.1:$(${portOf(run)});" ${SITES}/quarterdeck-service-${service}.conf`,
        ),
    },
    {
      at: 'the drain',
      // The old worker of nginx waits for the rest of a request.
      hold: () =>
        server.inside(`rm -f /tmp/let-go; nohup bash -c 'exec 3<>/dev/tcp/127.0.0.1/3000
          printf "GET / HTTP/1.1\\r\\n" >&3
          until [ -e /tmp/let-go ]; do sleep 0.05; done' >/dev/null 2>&1 &`),
      reached: (run) =>
        until(
          run,
          'a draining worker',
          "grep -a -s -q 'worker process is shutting down' /proc/[0-9]*/cmdline",
        ),
      letGo: () => server.inside('touch /tmp/let-go'),
    },
    { at: 'retire', reached: step('retire') },
  ];
  const clientPoints: Point[] = [
    { at: 'the request' },
    {
      at: 'find',
      hold: () => registry.feel('mute'),
      reached: step('find'),
      letGo: () => registry.feel('well'),
    },
    {
      at: 'download',
      hold: () => registry.feel('hang'),
      reached: step('download'),
      letGo: () => registry.feel('well'),
    },
    { at: 'swap', reached: step('swap') },
    { at: 'tidy', reached: step('tidy') },
  ];

  /** Begins behind v1. */
  const versions = () => {
    let at = 0;
    return () => `v${(++at % 3) + 1}`;
  };
  const addPages = async (at: string): Promise<Deployed> => {
    const numbered = ['v1', 'v2', 'v3'];
    const numberOf = (version: string): string => `${version.slice(1)}.0.0`;
    for (const version of numbered)
      await registry.publish(NAME, numberOf(version), { 'dist/index.html': `${version}\n` });
    // Each version is downloaded whenever its turn comes.
    const more = { port: 3001, keep: 1 };
    const added = await addClient(alice, at, numbered, more, (version) => `${NAME}@${numberOf(version)}`);
    const found = `readlink /root/volumes/static/.quarterdeck/services/${added.service}/current | sed 's,^\\(.\\).*,v\\1,'`;
    const of = (release: DeployView) => release.package.version;
    return { ...added, port: 3001, next: versions(), found, of, points: clientPoints };
  };

  beforeAll(async () => {
    [postgres, server] = await Promise.all([startTestPostgres(), startContainerServer(TOKEN)]);
    registry = await startNpmRegistry(server.host, TOKEN);
    backend = await start();
    alice = await operator(backend.url).signIn(new URL(backend.signInLink).searchParams.get('code') ?? '');
    await good(alice, 'profile/gh-token/update', { value: TOKEN });
    const tags = { v1: true, v2: true, v3: true, vslow: false };
    for (const [tag, health] of Object.entries(tags)) await server.push(tag, { health });
    wire = await startTcpProxy(server.host);
    const at = await server.register(alice, wire);
    const added = await addService(alice, at, Object.keys(tags));
    const { service } = added;
    const found = `docker ps --filter label=quarterdeck.service=${service} --format '{{.Label "quarterdeck.release"}}' 2>/dev/null || true`;
    const of = ({ id }: DeployView) => id;
    container = { ...added, port: 3000, next: versions(), found, of, points: containerPoints(service) };
    client = await addPages(at);
    for (const one of [container, client]) {
      const { run } = await ended(alice, await deploy(one, 'v1'));
      expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
    }
  });
  afterAll(async () => {
    await backend?.stop();
    await wire?.stop();
    await server?.host.stop();
    await postgres?.stop();
  });

  const deploy = async ({ service, packageOf }: Deployed, version: string): Promise<string> => {
    const runId = uuidv7();
    await good(alice, 'deploy', { id: service, packageId: packageOf[version], healthSeconds: 300, runId });
    return runId;
  };

  /** The server has one release of the service, it is the one that the record names, and it answers at the port. */
  const agrees = async ({ service, port, found, of }: Deployed): Promise<boolean> => {
    const releases = await good<(DeployView & { serves: boolean })[]>(alice, 'deploy/release/running', {});
    const [serving, ...others] = releases.filter((one) => one.service.id === service);
    if (!serving || others.length > 0) return false;
    if ((await server.inside(found)).trim() !== of(serving)) return false;
    const answer = (await server.inside(`curl -s -m 5 http://127.0.0.1:${port}/ || true`)).trim();
    return answer === serving.package.version;
  };
  const agreed = (one: Deployed) => within(90_000, 'the record agrees with the server', () => agrees(one));

  /** @param after when the deploy goes on */
  const disturbed = async (
    one: Deployed,
    turn: number,
    disturb: (run: string) => Promise<unknown> | void,
    after?: () => Promise<void>,
  ): Promise<string> => {
    const { at, version = one.next(), hold, reached, letGo } = one.points[turn % one.points.length] as Point;
    await hold?.();
    const run = await deploy(one, version);
    await reached?.(run);
    await disturb(run);
    await letGo?.(run);
    await after?.();
    const end = await ended(alice, run);
    await agreed(one);
    return `at ${at}: ${end.run.state}`;
  };

  const unseen = async ({ port }: Deployed, work: () => Promise<string>): Promise<string> => {
    const stop = await server.probe({ port, path: '/', headers: {} });
    const figure = await work();
    expect((await stop()).failed).toEqual([]);
    return figure;
  };

  // They begin at different points, for the one turn of `npm test`; six turns are all points.
  const killed = (one: Deployed, turn: number) =>
    unseen(one, () => disturbed(one, turn, () => backend.kill('SIGKILL'), restart));
  fault({
    fault: 'the back end killed at a step of a deploy',
    must: 'the next one ends it, and no request is lost',
    trial: (turn) => killed(container, turn + 2),
  });
  fault({
    fault: 'the back end killed at a step of a deploy of a client package',
    must: 'the next one ends it, and no request is lost',
    trial: (turn) => killed(client, turn + 2),
  });

  fault({
    fault: 'kill -9 of the back end while a deploy waits behind a script',
    must: 'the deploy says what it waits for, and serves when its turn has come',
    trial: async (turn) => {
      const [held, name] = [`/tmp/held-${turn}`, `Backup ${turn}`];
      const body = `touch ${held}\nwhile [ -e ${held} ]; do sleep 0.1; done\n`;
      const what = { name, body, changes: true, timeoutSeconds: 600 };
      const script = (await good<{ id: string }>(alice, 'script/insert', what)).id;
      const { server: at } = await good<{ server: { id: string; name: string } }>(alice, 'service/detail', {
        id: container.service,
      });
      await good(alice, 'fleet/start', { servers: [at.id], script });
      await server.inside(`until [ -e ${held} ]; do sleep 0.05; done`);
      const run = await deploy(container, container.next());
      const isBehind = async (): Promise<void> => {
        const waiting = await good<{ behind?: object }>(alice, 'deploy/release/detail', { id: run });
        expect(waiting).toMatchObject({ run: 'requested', behind: { label: name, of: at.name } });
      };
      await isBehind();
      await pause(moment(turn, 2000));
      await backend.kill('SIGKILL');
      await restart();
      await isBehind();
      await server.inside(`rm ${held}`);
      const end = await ended(alice, run);
      expect([end.run.state, end.run.reason]).toEqual(['succeeded', undefined]);
      await agreed(container);
    },
  });

  /** At every step, since an operator may choose any. The connection stays: a cancel has to come through. */
  const cancelled = async (one: Deployed): Promise<string> => {
    const ends: string[] = [];
    for (const at of one.points.keys())
      ends.push(await disturbed(one, at, (run) => good(alice, 'run/cancel', { id: run })));
    return ends.join(', ');
  };
  for (const [what, one] of [
    ['a deploy', () => container],
    ['a deploy of a client package', () => client],
  ] as const)
    fault({
      fault: `${what} cancelled at each of its steps`,
      must: 'one version serves, the record names it, and no request is lost',
      trial: () => unseen(one(), () => cancelled(one())),
    });

  const cut = (one: Deployed, turn: number) => unseen(one, () => disturbed(one, turn, () => wire.cut()));
  fault({
    fault: 'the connection to the server cut at a step of a deploy',
    must: 'the deploy goes on, and no request is lost',
    trial: (turn) => cut(container, turn + 1),
  });
  fault({
    fault: 'the connection to the server cut at a step of a deploy of a client package',
    must: 'the deploy goes on, and no request is lost',
    trial: (turn) => cut(client, turn + 3),
  });

  fault({
    fault: 'the docker engine killed at a step of a deploy',
    must: 'the deploy ends by itself, one version serves, and the record names it',
    trial: async (turn) => {
      const figure = await disturbed(container, turn + 4, () =>
        server.inside('systemctl reset-failed docker; systemctl kill --signal=KILL docker'),
      );
      // A container that its engine took along is started again.
      if (figure.startsWith('at start')) expect(figure).toBe('at start: succeeded');
      return figure;
    },
  });
}
