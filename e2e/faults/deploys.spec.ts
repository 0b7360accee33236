/**
 * Deploys whose console, connection, script or engine dies, or whose container never becomes healthy.
 * covers: DEP-01, SRV-14
 */
import type { ReleaseView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import {
  addService,
  begun,
  ended,
  good,
  packages,
  REGISTRY,
  startContainerServer,
  type ContainerServer,
} from '../deploys/container-server';
import { spawnBackend, type BackendProcess } from '../peers/backend-process';
import { packagesLack } from '../peers/debian-packages';
import { operator, type Operator } from '../peers/operator';
import { startTestPostgres, type TestPostgres } from '../peers/postgres';
import { startTcpProxy, type TcpProxy } from '../peers/tcp-proxy';
import { needs, throwawayHostLacks } from '../peers/throwaway-needs';
import { pause } from '../patience';
import { fault, moment, within } from './fault';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

const TOKEN = 'ghp_canary0123456789canary0123456789cana';

if (lacking.length === 0) {
  let postgres: TestPostgres;
  let backend: BackendProcess;
  let alice: Operator;
  let server: ContainerServer;
  let wire: TcpProxy;
  let service: string;
  let packageOf: Record<string, string>;

  const start = () => spawnBackend({ databaseUrl: postgres.url, env: { CONTAINER_REGISTRY: REGISTRY } });

  beforeAll(async () => {
    postgres = await startTestPostgres();
    [backend, server] = await Promise.all([start(), startContainerServer(TOKEN)]);
    alice = await operator(backend.url).signIn(new URL(backend.signInLink).searchParams.get('code') ?? '');
    await good(alice, 'profile/gh-token/update', { value: TOKEN });
    const tags = { v1: true, v2: true, v3: true, sick: false };
    for (const [tag, health] of Object.entries(tags)) await server.push(tag, { health });
    wire = await startTcpProxy(server.host);
    ({ service, packageOf } = await addService(alice, await server.register(alice, wire), Object.keys(tags)));
    const { run } = await ended(alice, await deploy('v1'));
    expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
  });
  afterAll(async () => {
    await backend?.stop();
    await wire?.stop();
    await server?.host.stop();
    await postgres?.stop();
  });

  const deploy = async (tag: string, more: object = {}): Promise<string> => {
    const runId = uuidv7();
    await good(alice, 'deploy', {
      id: service,
      packageId: packageOf[tag],
      healthSeconds: 60,
      runId,
      ...more,
    });
    return runId;
  };

  /** Whether exactly one container of the service runs, the record names it, and it answers at the port. */
  const agrees = async (): Promise<boolean> => {
    const releases = await good<(ReleaseView & { serves: boolean })[]>(alice, 'deploy/release/running', {});
    if (releases.length !== 1) return false;
    const [serving] = releases;
    const running = (
      await server.inside(
        `docker ps --filter label=quarterdeck.service=${service} --format '{{.Label "quarterdeck.release"}}' 2>/dev/null || true`,
      )
    ).trim();
    if (running !== serving?.id) return false;
    const answer = (await server.inside('curl -s -m 5 http://127.0.0.1:3000/ || true')).trim();
    return answer === serving.package.version;
  };

  const tagOf = (turn: number): string => `v${((turn + 1) % 3) + 1}`;
  const steps = ['pull', 'start', 'retire'] as const;

  const disturbed = async (turn: number, disturb: () => Promise<unknown>): Promise<string> => {
    const run = await deploy(tagOf(turn));
    const step = steps[turn % steps.length] ?? 'pull';
    await begun(alice, run, step);
    await pause(moment(turn, 400));
    await disturb();
    const end = await ended(alice, run);
    await within(90_000, 'the record agrees with the server', agrees);
    return `at ${step}: ${end.run.state}`;
  };

  fault({
    fault: 'the back end killed during a deploy',
    must: 'the next one ends it, and no request is lost',
    trial: async (turn) => {
      const stop = await server.probe();
      const figure = await disturbed(turn, async () => {
        await backend.kill('SIGKILL');
        backend = await start();
        alice = operator(backend.url, alice.cookie);
      });
      expect((await stop()).failed).toEqual([]);
      return figure;
    },
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
        id: service,
      });
      await good(alice, 'fleet/start', { servers: [at.id], script });
      await server.inside(`until [ -e ${held} ]; do sleep 0.05; done`);
      const run = await deploy(tagOf(turn));
      const isBehind = async (): Promise<void> => {
        const waiting = await good<{ behind?: object }>(alice, 'deploy/release/detail', { id: run });
        expect(waiting).toMatchObject({ run: 'requested', behind: { label: name, of: at.name } });
      };
      await isBehind();
      await pause(moment(turn, 2000));
      await backend.kill('SIGKILL');
      backend = await start();
      alice = operator(backend.url, alice.cookie);
      await isBehind();
      await server.inside(`rm ${held}`);
      const end = await ended(alice, run);
      expect([end.run.state, end.run.reason]).toEqual(['succeeded', undefined]);
      await within(90_000, 'the record agrees with the server', agrees);
    },
  });

  fault({
    fault: 'the connection to the server cut during a deploy',
    must: 'the deploy goes on, and no request is lost',
    trial: async (turn) => {
      const stop = await server.probe();
      const figure = await disturbed(turn, async () => wire.cut());
      expect((await stop()).failed).toEqual([]);
      return figure;
    },
  });

  fault({
    fault: 'the docker engine killed during a deploy',
    must: 'the deploy ends by itself, one version serves, and the record names it',
    trial: (turn) =>
      disturbed(turn, () =>
        server.inside('systemctl reset-failed docker; systemctl kill --signal=KILL docker'),
      ),
  });

  fault({
    fault: 'a deploy that never becomes healthy',
    must: 'what served before goes on serving, and no request is lost',
    trial: async () => {
      const stop = await server.probe();
      const { run } = await ended(alice, await deploy('sick', { healthSeconds: 2 }));
      expect(run).toMatchObject({ state: 'failed', code: 'unhealthy' });
      await within(30_000, 'the record agrees with the server', agrees);
      const { failed, seen, sent } = await stop();
      expect([failed, seen.length]).toEqual([[], 1]);
      return `${sent} requests`;
    },
  });

  fault({
    fault: 'one deploy after the other',
    must: 'each serves, and no request is lost',
    trial: async (turn) => {
      const stop = await server.probe();
      const began = Date.now();
      const { run } = await ended(alice, await deploy(tagOf(turn)));
      const tookMs = Date.now() - began;
      expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
      expect(await agrees()).toBe(true);
      expect((await stop()).failed).toEqual([]);
      return `${tookMs} ms`;
    },
  });
}
