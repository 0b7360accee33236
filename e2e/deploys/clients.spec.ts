/** Deploys of client packages: a real server with nginx, and packages published by npm itself. covers: DEP-01 */
import type { DeployView } from '@quarterdeck/projections';
import { fieldsOf, openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { startNpmRegistry, type NpmRegistry } from '../../testing/npm-registry';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { ROOT, startSiteServer, type SiteServer } from '../webserver/site-server';
import { until } from '../../testing/patience';
import { addClient, begun, ended, good } from './container-server';

const lacking = throwawayHostLacks();
needs('this machine can bring up throw-away servers', lacking);

const TOKEN = 'ghp_canary0123456789canary0123456789cana';
const NAME = '@acme/shop';

if (lacking.length === 0) {
  let world: World;
  let alice: Operator;
  let server: SiteServer;
  let registry: NpmRegistry;
  let service: string;
  let packageOf: Record<string, string>;
  const base = () => `${ROOT}/static/.quarterdeck/services/${service}`;

  beforeAll(async () => {
    server = await startSiteServer();
    registry = await startNpmRegistry(server.host, TOKEN);
    world = await openWorld({ env: { NPM_REGISTRY: registry.url } });
    alice = await world.backend.signIn();
    await good(alice, 'profile/gh-token/update', { value: TOKEN });
    const { host } = server;
    const { privateKey } = await host.keyFor('ed25519');
    const fields = { ...fieldsOf('web-1', { ...host, username: 'root' }), root: ROOT, privateKey };
    const { id: serverId } = await good<{ id: string }>(alice, 'server/insert', fields);
    const page = (version: string) => ({
      'dist/index.html': `v${version}\n`,
      'dist/app.js': 'go()\n',
      'dist/.env': 'left by mistake',
    });
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await registry.publish(NAME, version, page(version));
    await registry.publish(NAME, '1.3.0', { 'index.html': 'not where it belongs' });
    const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0'];
    const image = (version: string) => `${NAME}@${version}`;
    ({ service, packageOf } = await addClient(alice, serverId, versions, { keep: 2 }, image));
  });
  afterAll(async () => {
    await world?.end();
    await server?.stop();
  });

  const begin = async (version: string): Promise<string> =>
    (await good<{ runId: string }>(alice, 'deploy', { id: service, packageId: packageOf[version] })).runId;
  const deploy = async (version: string) => {
    const id = await begin(version);
    return { id, ...(await ended(alice, id)) };
  };
  const detail = (id: string) =>
    good<DeployView & { serves: boolean }>(alice, 'deploy/release/detail', { id });
  const ask = (path: string, more = '') => server.inside(`curl -s ${more} http://127.0.0.1:3000${path}`);
  const statusOf = (path: string) => ask(path, "-o /dev/null -w '%{http_code}'");
  const served = async () => (await ask('/')).trim();
  const etag = async () => /^etag: (.*)$/im.exec(await ask('/', '-I'))?.[1];
  const left = async () => (await server.inside(`ls -A ${base()}`)).trim().split('\n').toSorted();

  test('a version is unpacked and served; the next one, and a rollback, swap the link without losing a request', async () => {
    const first = await deploy('1.0.0');
    expect([first.run.state, first.run.reason]).toEqual(['succeeded', undefined]);
    expect([await served(), (await ask('/orders/5')).trim()]).toEqual(['v1.0.0', 'v1.0.0']);
    const statuses = await Promise.all(['/app.js', '/gone.js', '/.env', '/package.json'].map(statusOf));
    expect(statuses).toEqual(['200', '404', '404', '404']);
    const before = await etag();

    await server.inside(
      `rm -f /tmp/probe.*; nohup sh -c 'until [ -e /tmp/probe.stop ]; do curl -s -m 5 -w "%{http_code}\\n" http://127.0.0.1:3000/ || echo failed; done >/tmp/probe.seen; touch /tmp/probe.done' >/dev/null 2>&1 &`,
    );
    expect((await deploy('1.1.0')).run).toMatchObject({ state: 'succeeded' });
    expect(await served()).toBe('v1.1.0');
    // npm gives every file the same time, and these pages have the same length.
    expect(await etag()).not.toBe(before);
    // Versions that the server still has do not need the registry.
    await registry.feel('down');
    const { runId } = await good<{ runId: string }>(alice, 'deploy/release/rollback', { id: first.id });
    const back = await ended(alice, runId);
    await registry.feel('well');
    expect([back.run.state, back.run.reason]).toEqual(['succeeded', undefined]);
    expect(await served()).toBe('v1.0.0');
    expect(await detail(runId)).toMatchObject({ serves: true, rollbackTo: first.id, variables: [] });
    const seen = await server.inside(
      'touch /tmp/probe.stop; until [ -e /tmp/probe.done ]; do sleep 0.05; done; sort -u /tmp/probe.seen',
    );
    expect(seen).toBe('200\nv1.0.0\nv1.1.0\n');

    expect((await deploy('1.2.0')).run).toMatchObject({ state: 'succeeded' });
    const kept = ['1.0.0', '1.2.0'].flatMap((version) => [
      expect.stringMatching(new RegExp(`^${version}-[0-9a-f]{12}$`)),
      expect.stringMatching(new RegExp(`^${version}-[0-9a-f]{12}.served$`)),
    ]);
    expect(await left()).toEqual([...kept, 'current']);
  });

  test('the served version stays if a package is wrong, damaged or unknown, or the deploy is cancelled', async () => {
    const before = await left();
    const failed = async (version: string, step: string, reason: string): Promise<void> => {
      const { run, id } = await deploy(version);
      expect([run.state, run.reason]).toEqual(['failed', expect.stringContaining(reason)]);
      expect(run.steps.at(-1)).toMatchObject({ step });
      expect(await detail(id)).toMatchObject({ state: 'failed', serves: false });
      expect(await served()).toBe('v1.2.0');
    };
    await failed('1.3.0', 'download', 'The package has no index.html where the service says');
    await failed('1.4.0', 'find', `has no version 1.4.0 of ${NAME}`);
    await registry.feel('other');
    await failed('1.1.0', 'download', 'The package is not what the registry says');

    await registry.feel('well');
    await server.inside(`cp -a ${base()} /tmp/files && mount -t tmpfs -o size=1m none ${base()}
      cp -a /tmp/files/. ${base()} && ! cat /dev/zero >${base()}/.fill`);
    await failed('1.1.0', 'download', 'The disk of the server is full');
    await server.inside(`umount ${base()}`);

    await registry.feel('hang');
    const running = await begin('1.1.0');
    await begun(alice, running, 'download');
    await server.inside(`until ls ${base()}/.new-*/package; do sleep 0.1; done`);
    // The bracket around the first letter keeps grep's own command line from matching.
    const [first, ...rest] = TOKEN;
    const lines = `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -c '[${first}]${rest.join('')}'; true`;
    expect(await server.inside(lines)).toBe('0\n');
    await good(alice, 'run/cancel', { id: running });
    expect((await ended(alice, running)).run.state).toBe('cancelled');
    await registry.feel('well');
    expect(await served()).toBe('v1.2.0');
    expect((await left()).filter((name) => !name.startsWith('1.3.0'))).toEqual(before);
    const found = `grep -r -l -F ${TOKEN} /root /tmp /var/log /etc 2>/dev/null; true`;
    // The step's own arguments are removed when its end is recorded.
    await until(async () => (await server.inside(found)) === '');
  });

  test("it is in its server's configuration, prevents a change of its kind, and leaves nothing behind when stopped", async () => {
    const [serving] = await good<DeployView[]>(alice, 'deploy/release/running', {});
    const config = await good<Record<string, string>>(alice, 'server/config', { id: serving?.server.id });
    expect(config['nginxStatement']).toContain(`root "${base()}/current";`);
    expect(config['dockerCompose']).not.toContain('client');
    const view = await good<Record<string, unknown>>(alice, 'service/detail', { id: service });
    // An edit keeps the port and the database.
    const fields = ['name', 'nameFront', 'organization', 'repo', 'repoFront', 'server'];
    const data = Object.fromEntries(fields.map((field) => [field, view[field]]));
    const update = (packageType: string) =>
      good(alice, 'service/update', {
        id: service,
        data: { ...data, packageType, packageSubfolder: 'dist' },
      });
    await update('container');
    const image = { version: '9', image: 'acme/shop:9', digest: '' };
    const added = await good<{ id: string }>(alice, 'package/insert', {
      data: image,
      service: { id: service },
    });
    const mixed = await alice.post<{ msg: string }>('deploy', { id: service, packageId: added.id });
    expect([mixed.status, mixed.body.msg]).toEqual([
      409,
      'Client serves as a client package: stop it before this deploy',
    ]);
    await update('npm');
    expect(await good(alice, 'service/detail', { id: service })).toMatchObject({ port: 3000, withDb: false });
    const { runId } = await good<{ runId: string }>(alice, 'deploy/release/stop', { id: serving?.id });
    const { run } = await ended(alice, runId);
    expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
    const gone = `ls -A ${ROOT}/static/.quarterdeck/services ${ROOT}/nginx_config; curl -s http://127.0.0.1:3000/ || echo refused`;
    expect(await server.inside(gone)).toMatch(/^(?!.*quarterdeck-service)(?!.*current).*refused\n$/s);
  });
}
