/** Deploys of containers on a real server, with a real registry and a real nginx. covers: DEP-01, WF-02 */
import { service as noun } from '@quarterdeck/events';
import type { ListPage, DeployView } from '@quarterdeck/projections';
import { parse } from 'yaml';
import { openWorld, type World } from '../backend/world';
import { callsOf } from '../workflows/trigger-ground';
import type { Operator } from '../../testing/backend';
import { packagesLack } from '../../testing/debian-packages';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import {
  addService,
  begun,
  ended,
  good,
  packages,
  REGISTRY,
  SERVE_REGISTRY,
  SHOP,
  startContainerServer,
  type ContainerServer,
} from './container-server';
import { pause } from '../../testing/patience';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

interface Row extends DeployView {
  serves: boolean;
  run?: string;
  behind?: { id: string };
}
const CANARY = 'canary-value-8c1f09be77a24d20';
const TOKEN = 'ghp_canary0123456789canary0123456789cana';

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
    const tags = { v1: true, v2: true, sick: false };
    for (const [tag, health] of Object.entries(tags)) await server.push(tag, { health });
    ({ service, packageOf } = await addService(alice, await server.register(alice), Object.keys(tags)));
  });
  afterAll(async () => {
    await world?.end();
    await server?.host.stop();
  });

  const deploy = async (tag: string, more: object = {}) => {
    const { runId } = await good<{ runId: string }>(alice, 'deploy', {
      id: service,
      packageId: packageOf[tag],
      ...more,
    });
    return { id: runId, ...(await ended(alice, runId)) };
  };
  let greeting = '';
  const variable = async (key: string, value: string, secret = true): Promise<void> => {
    const data = { key, value, env: { id: 3 }, secret };
    const { id } = await good<{ id: string }>(alice, 'env-var/insert', {
      data,
      serviceDeploy: { id: service },
    });
    if (key === 'GREETING') greeting = id;
  };
  const environment = () =>
    server.inside('docker exec "$(docker ps --quiet --filter label=quarterdeck.service)" env');
  const detail = (id: string) => good<Row>(alice, 'deploy/release/detail', { id });
  const begin = async (tag: string): Promise<string> =>
    (await good<{ id: string }>(alice, 'deploy', { id: service, packageId: packageOf[tag] })).id;
  /**
   * While a deploy runs, later ones wait, until a newer one replaces them. That one begins when the running one is
   * cancelled. The next deploy removes what a cancel may leave behind.
   */
  const queued = async (): Promise<string> => {
    const running = await begin('sick');
    await begun(alice, running, 'start');
    while ((await containers()).length < 2) await pause(100);
    const waiting = [await begin('v1'), await begin('sick')];
    const isBehind = async (id: string | undefined, before: string | undefined, label: string) => {
      while ((await detail(id ?? '')).behind === undefined) await pause(100);
      expect(await detail(id ?? '')).toMatchObject({
        state: 'requested',
        run: 'requested',
        behind: { id: before, label, of: 'Orders' },
      });
    };
    await isBehind(waiting[0], running, 'Deploy sick');
    await isBehind(waiting[1], waiting[0], 'Deploy v1');
    const view = await good<Record<string, unknown>>(alice, 'service/detail', { id: service });
    const data = Object.fromEntries(Object.keys(noun.fields).map((field) => [field, view[field]]));
    await good(alice, 'service/update', { id: service, data: { ...data, whileDeploying: 'replace' } });
    const next = await begin('v2');
    for (const id of waiting) {
      const { run } = await ended(alice, id);
      expect(run).toMatchObject({ state: 'cancelled', steps: [], reason: 'the deploy of v2 took its place' });
    }
    await isBehind(next, running, 'Deploy sick');
    await good(alice, 'run/cancel', { id: running });
    expect((await ended(alice, running)).run.state).toBe('cancelled');
    expect(await detail(running)).toMatchObject({ state: 'requested', run: 'cancelled', serves: false });
    expect((await ended(alice, next)).run).toMatchObject({ state: 'succeeded' });
    return next;
  };
  const containers = async () =>
    (
      await server.inside(
        'docker ps --all --filter label=quarterdeck.service --format "{{.Names}} {{.State}}"',
      )
    )
      .trim()
      .split('\n');

  test('goes from one version to the next and back without losing a request, and past one that stays unhealthy', async () => {
    await variable('GREETING', CANARY);
    // The name of the image may contain a secret value, which docker still needs unmasked.
    await variable('DATABASE', 'shop');
    await variable('CERTIFICATE', 'BEGIN\nsome lines\nEND\n', false);
    // Longer than a line of docker's environment files may be.
    await variable('LONG', '€'.repeat(30_000), false);
    const first = await deploy('v1', { healthSeconds: 60, why: 'The first' });
    expect([first.run.state, first.run.reason, first.out]).toEqual([
      'succeeded',
      undefined,
      expect.any(String),
    ]);
    expect(await environment()).toMatch(new RegExp(`^GREETING=${CANARY}$`, 'm'));
    expect(await environment()).toContain('CERTIFICATE=BEGIN\nsome lines\nEND\n');
    expect((await environment()).includes(`LONG=${'€'.repeat(30_000)}\n`)).toBe(true);
    // The same request again changes nothing: the rollback below still has the values of the first one.
    const again = { id: service, packageId: packageOf['v1'], runId: first.id };
    expect((await alice.post('deploy', again)).status).toBe(409);
    const stop = await server.probe();
    await good(alice, 'env-var/update', {
      id: greeting,
      data: { key: 'GREETING', value: 'another secret', env: { id: 3 }, secret: true },
    });

    const second = await deploy('v2');
    expect(second.run.reason).toBeUndefined();
    expect(await environment()).toContain('GREETING=another secret\n');
    const third = await queued();
    const sick = await deploy('sick', { healthSeconds: 2 });
    expect(sick.run).toMatchObject({ state: 'failed' });
    expect(sick.out).toContain('The health check /health did not succeed within 2 s.');
    expect(await detail(sick.id)).toMatchObject({
      state: 'failed',
      serves: false,
      run: 'failed',
      reason: 'The health check did not succeed in time. Any previous version keeps serving.',
    });
    expect(await detail(third)).toMatchObject({ state: 'served', serves: true });

    const differences = await good<{ differences: object[] }>(alice, 'deploy/release/compare', {
      from: second.id,
      to: first.id,
    });
    expect(differences.differences).toContainEqual({ what: 'Package', from: 'v2', to: 'v1' });
    expect(differences.differences).toContainEqual(expect.objectContaining({ what: 'Variable GREETING' }));
    expect(JSON.stringify(differences)).not.toContain('secret');
    // Versions that the server still has do not need the registry.
    await server.inside('systemctl stop shop-registry');
    const { runId } = await good<{ runId: string }>(alice, 'deploy/release/rollback', {
      id: first.id,
      why: 'v2 is slow',
    });
    const back = await ended(alice, runId);
    expect([back.run.state, back.run.reason]).toEqual(['succeeded', undefined]);

    expect(await environment()).toMatch(new RegExp(`^GREETING=${CANARY}$`, 'm'));
    // While nginx reloads, its old and its new workers answer in turns.
    const probed = await stop();
    expect(probed).toMatchObject({ failed: [], sent: expect.any(Number) });
    expect([...new Set(probed.seen), probed.seen.at(-1)]).toEqual(['v1', 'v2', 'v1']);
    // A deploy must not replace those that followed it.
    const retried = await alice.post<{ msg: string }>('run/retry', { id: sick.id });
    expect([retried.status, retried.body.msg]).toEqual([
      422,
      expect.stringContaining('was deployed again since: start a new deploy'),
    ]);
    const now = await detail(runId);
    expect(now).toMatchObject({ state: 'served', serves: true, rollbackTo: first.id, why: 'v2 is slow' });
    expect(now.served?.digest).toBe((await detail(first.id)).served?.digest);
    expect(await containers()).toEqual([expect.stringMatching(/^quarterdeck-orders-[0-9a-f]{12} running$/)]);
    expect(await good<Row[]>(alice, 'deploy/release/running', {})).toMatchObject([{ id: runId }]);
  });

  test('the configuration of the server contains the serving container, as it runs', async () => {
    const [{ served, server: at } = {} as Row] = await good<Row[]>(alice, 'deploy/release/running', {});
    const config = await good<Record<string, string>>(alice, 'server/config', { id: at.id });
    expect(config['nginxStatement']).toContain(served?.proxy);
    const { services } = parse(config['dockerCompose'] ?? '') as { services: Record<string, object> };
    expect(Object.values(services)).toContainEqual(
      expect.objectContaining({
        image: `${SHOP}@${served?.digest}`,
        ports: [`127.0.0.1:${served?.hostPort}:3000`],
      }),
    );
  });

  test('secrets are only in the vault, in the running container and in its own environment file', async () => {
    const files = (secret: string) =>
      server.inside(`grep -r -l -F '${secret}' /root /tmp /var/log /etc /srv 2>/dev/null || true`);
    expect((await files(TOKEN)).trim()).toBe('');
    const [serving] = await good<Row[]>(alice, 'deploy/release/running', {});
    const file = `/root/volumes/.quarterdeck/services/${service}/${serving?.id}/env`;
    expect((await files(CANARY)).trim()).toBe(file);
    expect(await server.inside(`stat -c '%a %U' ${file}`)).toBe('600 root\n');
    for (const secret of [TOKEN, CANARY]) {
      const { rows } = await world.backend.db.query(
        `select from log.events where data::text like '%' || $1 || '%'
         union all select from read.releases where view::text like '%' || $1 || '%'`,
        [secret],
      );
      expect(rows).toEqual([]);
      expect(world.backend.logs.filter((line) => line.includes(secret))).toEqual([]);
      for (const path of ['deploy/release/list', 'deploy/release/running', 'run/list', 'history/list'])
        expect(JSON.stringify((await alice.post(path, {})).body)).not.toContain(secret);
    }
  });

  test('a container that the proxy cannot be switched to is removed, and a retry starts it again', async () => {
    await server.inside(SERVE_REGISTRY);
    const broken = '/root/volumes/nginx_config/broken.conf';
    await server.inside(`echo 'nonsense;' > ${broken}`);
    const { id, run, out } = await deploy('v2', { healthSeconds: 60 });
    expect([run.state, out]).toEqual(['failed', expect.stringContaining('It is healthy.')]);
    expect(await containers()).toHaveLength(1);
    expect(await detail(id)).toMatchObject({ state: 'failed', serves: false });
    await server.inside(`rm ${broken}`);
    await good(alice, 'run/retry', { id });
    const again = await ended(alice, id);
    expect([again.run.state, again.run.reason]).toEqual(['succeeded', undefined]);
    expect(await detail(id)).toMatchObject({ state: 'served', serves: true });
    expect(await server.inside('curl -s http://127.0.0.1:3000/')).toBe('v2\n');
    expect(await containers()).toHaveLength(1);
  });

  test('keeps the record of the serving release, and removes others', async () => {
    const rows = await good<Row[]>(alice, 'deploy/release/list', { service: { id: service } });
    const oldest = await good<ListPage<Row>>(alice, 'deploy/release/page', {
      service: { id: service },
      sort: 'date',
      size: 1,
    });
    expect(oldest).toMatchObject({ total: rows.length, rows: [{ id: rows.at(-1)?.id }] });
    const [serving, ...others] = rows;
    expect(await good(alice, 'deploy/release/list', { service: { id: service }, limit: 2 })).toEqual(
      rows.slice(0, 2),
    );
    expect(await good(alice, 'deploy/release/running', { service: { id: service } })).toMatchObject([
      { id: serving?.id },
    ]);
    expect(await good(alice, 'deploy/release/running', { service: { id: serving?.server.id } })).toEqual([]);
    expect(others.map(({ state }) => state)).toEqual([
      'served',
      'failed',
      'served',
      'requested',
      'requested',
      'requested',
      'served',
      'served',
    ]);
    expect((await alice.post('deploy/release/delete', { id: serving?.id })).status).toBe(409);
    for (const { id } of others) await good(alice, 'deploy/release/delete', { id });
    const left = (of: object) => good<Row[]>(alice, 'deploy/release/list', of);
    expect(await left({ service: { id: service } })).toHaveLength(1);
    expect(await left({ server: { id: serving?.server.id } })).toHaveLength(1);
    expect(await left({ server: { id: service } })).toEqual([]);
    const pageOf = (server: string | undefined) =>
      good<ListPage<Row>>(alice, 'deploy/release/page', { server: { id: server } });
    expect([(await pageOf(serving?.server.id)).total, (await pageOf(service)).total]).toEqual([1, 0]);
    const versions = await good<{ version: string; deployLog?: object }[]>(alice, 'deploy/service/versions', {
      id: service,
    });
    expect(versions.map(({ version, deployLog }) => [version, deployLog !== undefined])).toEqual([
      ['v2', true],
      ['v1', false],
      ['sick', false],
    ]);
  });

  test('a serving release protects its service, product and server from removal until it is stopped, and then leaves nothing behind', async () => {
    const [serving] = await good<Row[]>(alice, 'deploy/release/running', {});
    for (const [path, body] of [
      ['service/delete', { id: service, name: 'Orders' }],
      ['product/delete', { id: serving?.product }],
      ['server/delete', { id: serving?.server.id }],
    ] as const) {
      const refused = await alice.post<{ msg: string }>(path, body);
      expect([refused.status, refused.body.msg]).toEqual([
        409,
        expect.stringMatching(/^Orders serves on web-.*: stop it first$/),
      ]);
    }
    const { runId } = await good<{ runId: string }>(alice, 'deploy/release/stop', { id: serving?.id });
    const { run } = await ended(alice, runId);
    expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
    expect(await detail(serving?.id ?? '')).toMatchObject({ serves: false, last: true, stopped: {} });
    expect(await containers()).toEqual(['']);
    const left = `ls /root/volumes/.quarterdeck/services; docker images --quiet ${SHOP}; ls /root/volumes/nginx_config; nginx -t 2>&1`;
    expect(await server.inside(left)).toMatch(
      /^(?!.*quarterdeck-service)(?!.*service).*test is successful\n$/s,
    );
    expect((await alice.post('deploy/release/stop', { id: serving?.id })).status).toBe(409);
    // The service cannot be removed either while a deploy is under way.
    const again = await good<{ runId: string }>(alice, 'deploy', {
      id: service,
      packageId: packageOf['sick'],
    });
    await begun(alice, again.runId, 'start');
    while ((await containers()).join('') === '') await pause(100);
    const held = await alice.post<{ msg: string }>('service/delete', { id: service, name: 'Orders' });
    expect([held.status, held.body.msg]).toEqual([
      409,
      expect.stringMatching(
        /^Orders is being deployed to web-.*: wait for the end of the run, or cancel it$/,
      ),
    ]);
    await good(alice, 'run/cancel', { id: again.runId });
    await ended(alice, again.runId);
    await good(alice, 'service/delete', { id: service, name: 'Orders' });
  });

  test('logs in to another private registry with the token of that one', async () => {
    // The same registry by another name, for which nobody has logged in.
    const host = REGISTRY.replace('127.0.0.1', 'localhost');
    const [at] = await good<{ id: string }[]>(alice, 'server/list', {});
    const more = { name: 'Elsewhere', repo: 'elsewhere' };
    const { service: id, packageOf: packages } = await addService(
      ...([alice, at?.id ?? '', ['v1'], more, (version: string) => `${host}/acme/shop:${version}`] as const),
    );
    const tried = async () => {
      const asked = { id, packageId: packages['v1'] };
      return ended(alice, (await good<{ runId: string }>(alice, 'deploy', asked)).runId);
    };
    expect((await tried()).run).toMatchObject({
      state: 'failed',
      code: 'noLogin',
      reason: expect.stringContaining('The registry wants a login'),
    });
    await good(alice, 'registry/insert', { data: { host, username: 'token', token: 'not the token' } });
    expect((await tried()).run).toMatchObject({ state: 'failed', code: 'login' });
    const [{ id: listed } = { id: '' }] = await good<{ id: string }[]>(alice, 'registry/list', {});
    await good(alice, 'registry/update', { id: listed, data: { host, username: 'token', token: TOKEN } });
    const { run } = await tried();
    expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
    expect(await server.inside('curl -s http://127.0.0.1:3000/')).toBe('v1\n');
  });

  test('a workflow deploys the package that its data name, takes another way if that fails, and deploys the same again', async () => {
    const { ask, workflow, start, instanceThat } = callsOf(alice);
    const [at] = await good<{ id: string }[]>(alice, 'server/list', {});
    const more = { name: 'Flowing', repo: 'flowing', port: 3001 };
    const { service: id, packageOf: packages } = await addService(
      alice,
      at?.id ?? '',
      ['v1', 'missing'],
      more,
    );
    const chosen = await workflow(
      { is: 'deploy', service: { id }, packageId: '{{data.package}}' },
      { is: 'deploy', service: { id } },
    );
    const done = await instanceThat(await start(chosen, { package: packages['v1'] }), 'completed');
    expect(done.data).toMatchObject({
      node1: { is: 'succeeded', version: 'v1', serves: true },
      node2: { is: 'succeeded', version: 'v1', serves: true },
    });
    const [first, second] = done.states.map(({ action }) => action);
    expect(await detail(second ?? '')).toMatchObject({ serves: true });
    expect(await detail(first ?? '')).toMatchObject({ serves: false });
    expect(await server.inside('curl -s http://127.0.0.1:3001/')).toBe('v1\n');

    const failed = await instanceThat(await start(chosen, { package: packages['missing'] }), 'stopped');
    expect(failed.states[0]).toMatchObject({ end: 'failed', result: { is: 'failed', serves: false } });
    expect(failed.reason).toMatch(/^Node 1 failed, and no transition is for that: /);
    expect(await server.inside('curl -s http://127.0.0.1:3001/')).toBe('v1\n');
    // Its data are mended, and the node is done again: as a deploy of its own.
    await ask('workflow/instance/update', { id: failed.id, data: { package: packages['v1'] } });
    await ask('workflow/instance/retry', { id: failed.id, visit: failed.visit });
    const again = await instanceThat(failed.id, 'completed');
    expect(again.states.map(({ end }) => end)).toEqual(['failed', 'done', 'done']);
    expect(again.states[1]?.action).not.toBe(again.states[0]?.action);
  });

  test('a workflow stops at the deploy of a service that was removed, and deploys it once it is back', async () => {
    const { ask, workflow, start, instanceThat } = callsOf(alice);
    const [at] = await good<{ id: string }[]>(alice, 'server/list', {});
    const more = { name: 'Leaving', repo: 'leaving', port: 3002 };
    const { service: id, packageOf: packages } = await addService(alice, at?.id ?? '', ['v1'], more);
    const flow = await workflow({ is: 'deploy', service: { id }, packageId: packages['v1'] ?? '' });
    const removed = await alice.post('service/delete', { id, name: 'Leaving' });
    expect(removed.status).toBe(200);
    const stopped = await instanceThat(await start(flow), 'stopped');
    expect(stopped.reason).toBe('Node 1 could not be started: service could not be found');
    const position = removed.headers.get('x-position') ?? '';
    const { seen } = await ask<{ seen: string }>('history/undo/preview', { position });
    await ask('history/undo', { position, seen });
    await ask('workflow/instance/retry', { id: stopped.id, visit: stopped.visit });
    const done = await instanceThat(stopped.id, 'completed');
    expect(done.data).toMatchObject({ node1: { is: 'succeeded', version: 'v1', serves: true } });
    expect(await server.inside('curl -s http://127.0.0.1:3002/')).toBe('v1\n');
  });
}
