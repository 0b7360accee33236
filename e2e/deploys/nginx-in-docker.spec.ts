/** A server whose nginx runs in the container of its compose file. covers: DOM-07, SRV-07, DEP-01 */
import type { DeployView } from '@quarterdeck/projections';
import { openWorld, type World } from '../backend/world';
import { acmeLacks, startAcme } from '../../testing/acme';
import { startBind, type Bind } from '../../testing/bind';
import type { Operator } from '../../testing/backend';
import { packagesLack, unpackLine } from '../../testing/debian-packages';
import { startNpmRegistry, type NpmRegistry } from '../../testing/npm-registry';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import {
  addClient,
  addService,
  ended,
  good,
  packages,
  REGISTRY,
  startContainerServer,
  type ContainerServer,
} from './container-server';
import { startNginxContainer } from './nginx-container';
import { armRestart, restartedBefore, wrapDocker, type Call } from './engine-restarts';
import { until } from '../../testing/patience';

const lacking = [
  ...throwawayHostLacks(),
  ...packagesLack([...packages, 'certbot', 'docker-compose', 'nginx']),
  ...acmeLacks(),
];
needs('this machine can bring up throw-away servers with docker and an authority', lacking);

const TOKEN = 'ghp_0123456789012345678901234567890123456';
const NAME = 'app.example.test';
const SITES = '/root/volumes/nginx_config';
const LOGS = '/root/volumes/.quarterdeck/logs';

if (lacking.length === 0) {
  let bind: Bind;
  let world: World;
  let alice: Operator;
  let server: ContainerServer;
  let registry: NpmRegistry;
  let id: string;
  let app: string;
  let orders: string;
  let shop: Awaited<ReturnType<typeof addService>>;
  let client: typeof shop;

  const config = () =>
    good<{ nginxStatement: string; dockerCompose: string }>(alice, 'server/config', { id });
  const apply = async (more: { gzip?: boolean } = {}) => {
    const options = { docker: true, ssl: false, gzip: true, ...more };
    const { runId } = await good<{ runId: string }>(alice, 'nginx/exec', { id: app, options });
    return ended(alice, runId);
  };
  const deploy = async (
    { service, packageOf }: { service: string; packageOf: Record<string, string> },
    version: string,
  ): Promise<string> => {
    const asked = { id: service, packageId: packageOf[version] };
    const { runId } = await good<{ runId: string }>(alice, 'deploy', asked);
    const { run, out } = await ended(alice, runId);
    expect([run.state, run.reason, out]).toEqual(['succeeded', undefined, expect.any(String)]);
    return runId;
  };
  const page = (path: string) =>
    server.inside(`curl --silent --max-time 10 --header 'Host: ${NAME}' http://127.0.0.1${path}`);

  beforeAll(async () => {
    bind = await startBind();
    server = await startContainerServer(TOKEN, { address: true });
    bind.change(`add ${NAME} 60 A ${server.host.host}`);
    registry = await startNpmRegistry(server.host, TOKEN);
    const peers = {
      CONTAINER_REGISTRY: REGISTRY,
      NPM_REGISTRY: registry.url,
      DNS_SERVERS: bind.server,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      ACME_DIRECTORY_URL: 'https://localhost:14000/dir',
    };
    world = await openWorld({ env: peers });
    alice = await world.backend.signIn();
    await good(alice, 'profile/gh-token/update', { value: TOKEN });
    id = await server.register(alice);
    app = (await good<{ id: string }>(alice, 'domain/insert', { serverName: NAME, server: { id } })).id;
    const locate = async (location: string, url?: string) =>
      (
        await good<{ id: string }>(alice, 'domain/location/insert', {
          domain: { id: app },
          data: { location, url },
        })
      ).id;
    await locate('/');
    orders = await locate('/orders', 'http://127.0.0.1:3000/');
    await locate('/client', 'http://127.0.0.1:3001/');
    await server.inside(`mkdir -p /root/volumes/static/${NAME} /etc/letsencrypt ${LOGS}
      echo hello > /root/volumes/static/${NAME}/index.html`);
  });
  afterAll(async () => {
    await world?.end();
    await server?.host.stop();
    await bind?.stop();
  });

  test('a site for a container is refused while the server has none', async () => {
    const { run } = await apply();
    expect(run).toMatchObject({ state: 'failed', code: 'noContainer' });
    expect(await server.inside(`ls ${SITES}`)).toBe('');
  });

  test('the compose file of the server starts nginx, which serves the site', async () => {
    await startNginxContainer(server, (await config()).dockerCompose);
    const { run, out } = await apply();
    expect([run.state, run.reason, out]).toEqual([
      'succeeded',
      undefined,
      expect.stringContaining('test of'),
    ]);
    expect(await page('/')).toBe('hello\n');
    // A name that no container has is answered with 502, and the rest is still served.
    expect(await page('/orders')).toContain('502 Bad Gateway');
    expect(await server.inside(`cat ${LOGS}/${NAME}/${orders}.access.log`)).toContain('GET /orders');
    expect((await config()).nginxStatement).toContain(await server.inside(`cat ${SITES}/${NAME}.conf`));
    const { out: said } = await good<{ out: string }>(alice, 'server/execCmd', { id, cmdType: 8 });
    expect(said).toContain('/etc/nginx/nginx.conf test is successful');
  });

  test('a deploy switches a location without losing a request', async () => {
    for (const tag of ['v1', 'v2']) await server.push(tag);
    const added = await addService(alice, id, ['v1', 'v2']);
    shop = added;
    await deploy(added, 'v1');
    expect(await page('/orders')).toBe('v1\n');
    const stop = await server.probe({ port: 80, path: '/orders', headers: { host: NAME } });
    const release = await deploy(added, 'v2');
    const { failed, seen } = await stop();
    expect([failed, seen.at(-1)]).toEqual([[], 'v2']);
    const { served } = await good<DeployView>(alice, 'deploy/release/detail', { id: release });
    expect(await server.inside(`cat ${SITES}/quarterdeck-service-${added.service}.conf`)).toBe(served?.proxy);
    expect((await config()).nginxStatement).toContain(served?.proxy);
  });

  test('a client package is served by it', async () => {
    const versions = ['1.0.0', '1.1.0'];
    for (const version of versions)
      await registry.publish('@acme/client', version, { 'dist/index.html': `client ${version}\n` });
    const image = (version: string) => `@acme/client@${version}`;
    client = await addClient(alice, id, versions, { port: 3001 }, image);
    await deploy(client, '1.0.0');
    expect(await page('/client')).toBe('client 1.0.0\n');
  });

  test('an engine that is restarted before any call takes neither a container nor a client package down', async () => {
    await wrapDocker(server);
    const disturbed = async (
      added: { service: string; packageOf: Record<string, string> },
      version: string,
      call: Call,
      at: string,
    ) => {
      await armRestart(server, call, 'restarted');
      await deploy(added, version);
      expect([call, await restartedBefore(server)]).toEqual([call, expect.stringMatching(/./)]);
      const expected = added === client ? `client ${version}\n` : `${version}\n`;
      // nginx is restarted by its engine, too.
      await until(async () => (await page(at).catch(() => '')) === expected);
    };
    // nginx's container is looked for, and asked for its process while the link is swapped.
    for (const [turn, nth] of [0, 1, 2].entries())
      await disturbed(client, turn % 2 === 0 ? '1.1.0' : '1.0.0', { after: 'container', nth }, '/client');
    // After the policy is set: nginx's container is looked for, tests the configuration, and is reloaded.
    for (const [turn, nth] of [0, 1, 2, 4].entries())
      await disturbed(shop, turn % 2 === 0 ? 'v1' : 'v2', { after: 'update', nth }, '/orders');
  });

  test('a broken configuration is refused, with its field, and the old one goes on serving', async () => {
    const before = await server.inside(`cat ${SITES}/${NAME}.conf`);
    const data = { location: '^/a{2,1}', match: 'regex', is404: true };
    const broken = await good<{ id: string }>(alice, 'domain/location/insert', { domain: { id: app }, data });
    const { run } = await apply();
    expect(run).toMatchObject({
      state: 'failed',
      code: 'refused',
      reason: expect.stringContaining('nginx refuses it: pcre2'),
    });
    expect(run.steps.at(-1)?.report).toMatchObject({ field: `locations.${broken.id}.location` });
    expect(await server.inside(`cat ${SITES}/${NAME}.conf`)).toBe(before);
    expect([await page('/'), await page('/orders')]).toEqual(['hello\n', 'v2\n']);
    await good(alice, 'domain/location/delete', { id: broken.id });
  });

  test('another site with the same name is found in the container', async () => {
    const theirs = `server { listen 80; server_name ${NAME}; return 204; }`;
    await server.inside(`echo '${theirs}' > ${SITES}/zz.conf; docker exec quarterdeck-nginx nginx -s reload`);
    expect((await apply({ gzip: false })).run).toMatchObject({ state: 'failed', code: 'nameTaken' });
    await server.inside(`rm ${SITES}/zz.conf`);
  });

  test('a stopped container is started by the next configuration that nginx accepts', async () => {
    await server.inside('docker stop quarterdeck-nginx');
    const { run, out } = await apply({ gzip: false });
    expect([run.state, run.reason, out]).toEqual([
      'succeeded',
      undefined,
      expect.stringContaining('Done: started nginx.'),
    ]);
    expect(await page('/orders')).toBe('v2\n');
  });

  test('a certificate is issued by its answers, and it serves the site over TLS', async () => {
    const acme = await startAcme(server.host);
    await acme.trust();
    await server.inside(`${unpackLine('certbot')}
      cat > /tmp/root.pem <<'END'\n${await acme.root()}\nEND`);
    const { runId } = await good<{ runId: string }>(alice, 'nginx/certbot', { id: app });
    const { run, out } = await ended(alice, runId);
    expect([run.state, run.reason, out]).toEqual(['succeeded', undefined, expect.any(String)]);
    const there = `--resolve ${NAME}:443:127.0.0.1 --cacert /tmp/root.pem https://${NAME}/orders`;
    expect(await server.inside(`curl --silent --show-error --max-time 10 ${there}`)).toBe('v2\n');
    const [live, written] = [
      (await config()).nginxStatement,
      await server.inside(`cat ${SITES}/${NAME}.conf`),
    ];
    expect([live.includes(written), written.includes('ssl_certificate ')]).toEqual([true, true]);
  });
}
