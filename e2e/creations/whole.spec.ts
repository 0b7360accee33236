/**
 * Both kinds of creations on a server with docker, nginx and certbot, from the first section to the page that is served, and
 * back. covers: WIZ-01, DOCK-01
 */
import type { DomainView } from '@quarterdeck/projections';
import {
  ended,
  good,
  packages,
  REGISTRY,
  startContainerServer,
  type ContainerServer,
} from '../deploys/container-server';
import { startNginxContainer } from '../deploys/nginx-container';
import { hurry } from '../cloud/ground';
import { openGround, TOKEN, type Ground } from '../repositories/ground';
import { setupTestsLack } from '../servers/setup-world';
import { acmeLacks, startAcme } from '../../testing/acme';
import { startBind, type Bind } from '../../testing/bind';
import { startDigitalOcean, type DigitalOceanPeer } from '../../testing/digitalocean';
import { cloudInit } from '../../testing/digitalocean/machine';
import { packagesLack, unpackLine } from '../../testing/debian-packages';
import { startNpmRegistry, type NpmRegistry } from '../../testing/npm-registry';
import { fetchPage } from '../../testing/page';
import { needs } from '../../testing/throwaway-needs';
import { begin, complete, detailOf, sectionOf, undo } from './creating';

const lacking = [
  ...setupTestsLack(['certbot', 'curl', 'nginx']),
  ...acmeLacks(),
  ...packagesLack([...packages, 'docker-compose']),
];
needs('this machine can bring up throw-away servers with docker, certbot and an authority', lacking);

const PASSWORD = 'canary-of-the-database-password';

if (lacking.length === 0) {
  let bind: Bind;
  let server: ContainerServer;
  let root: string;
  let ground: Ground;
  let at: { id: string };
  let cloud: DigitalOceanPeer;
  let registry: NpmRegistry;

  beforeAll(async () => {
    bind = await startBind();
    server = await startContainerServer(TOKEN, { address: true });
    const acme = await startAcme(server.host);
    await acme.trust();
    root = await acme.root();
    await server.inside(unpackLine('certbot'));
    await server.push('v1.0');
    cloud = await startDigitalOcean();
    Object.assign(cloud.limits, { minute: 100_000, hour: 100_000, keyLists: 100_000 });
    registry = await startNpmRegistry(server.host, TOKEN);
    ground = await openGround({
      NPM_REGISTRY: registry.url,
      ...cloud.env,
      CONTAINER_REGISTRY: REGISTRY,
      DNS_SERVERS: bind.server,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      ACME_DIRECTORY_URL: acme.directoryUrl,
    });
    at = { id: await server.register(ground.ada) };
    const { zone, host, port, key } = bind;
    const { name: keyName, algorithm, secret } = key;
    const provider = { kind: 'rfc2136', zone, server: host, port, keyName, algorithm, secret };
    await good(ground.ada, 'workspace/dns', { resolvers: [], parent: zone, ttl: 60, provider });
  });
  afterAll(async () => {
    await ground?.end();
    await cloud?.stop();
    await server?.host.stop();
    await bind?.stop();
  });

  const page = (name: string, ca?: string, path = '/') =>
    fetchPage({ host: server.host.host, name, path, ...(ca !== undefined && { ca }) });
  const running = async () =>
    (await server.inside('docker ps --all --filter label=quarterdeck.service --quiet'))
      .split('\n')
      .filter(Boolean).length;
  /** The back end finds the digest by the tag. */
  const publish = (): void =>
    void ground.github.packages.set('acme/shop', [{ id: 1, digest: '', tags: ['v1.0'] }]);

  test('a product is created up to the page that is served, and undone until nothing is left', async () => {
    const { ada, github } = ground;
    const name = 'www.example.test';
    bind.change(`add ${name} 60 A ${server.host.host}`);
    const id = await begin(ada, 'product', { name: 'Shop', structure: true, version: true });
    await complete(ada, id, {
      database: { host: 'db.example.test', name: 'shop', username: 'shop', password: PASSWORD, port: 3306 },
      repository: { organization: 'acme', repo: 'shop', fromTemplate: { server: true, client: false } },
      server: { server: at },
      service: { name: 'shop-api', port: 3000, withDb: true },
      domain: { serverName: name },
    });
    publish();
    await complete(ada, id, { deploy: { env: 1 } });
    expect((await detailOf(ada, id)).state).toBe('finished');
    expect(await page(name)).toMatchObject({ status: 200, text: 'v1.0\n' });
    expect((await sectionOf(ada, id, 'deploy')).made.map(({ kind }) => kind)).toEqual([
      'package',
      'deploy',
      'location',
    ]);
    expect(github.repository('acme', 'shop')?.files()['.github/workflows/publish-package.yml']).toContain(
      `images: ${REGISTRY}/`,
    );
    expect(
      await server.inside(
        "docker inspect --format '{{.Config.Env}}' $(docker ps -q --filter label=quarterdeck.service)",
      ),
    ).toContain('INSTANCE_UUID=');

    const product = (await sectionOf(ada, id, 'product')).made[0]?.id ?? '';
    await undo(ada, id, ['deploy', 'domain', 'service', 'server', 'repository', 'database', 'product']);
    expect((await detailOf(ada, id)).state).toBe('open');
    expect([await running(), await server.inside('ls /root/volumes/nginx_config')]).toEqual([
      0,
      expect.not.stringContaining(name),
    ]);
    expect(github.repository('acme', 'shop')).toBeUndefined();
    expect((await ada.post('product/detail', { id: product })).status).toBe(404);
    expect((await ada.post('domain/page', {})).body).toMatchObject({ total: 0 });
  });

  test('a container is deployed under its name and gets a certificate, and is undone', async () => {
    const { ada } = ground;
    const { id: product } = await good<{ id: string }>(ada, 'product/insert', { data: { name: 'Box' } });
    await good(ada, 'workspace/container-flow', { server: at, product: { id: product } });
    publish();
    const name = 'box.example.test';
    const id = await begin(ada, 'container', { repoUrl: 'https://github.com/acme/shop' });
    await complete(ada, id, { dns: { subdomain: 'box', port: 3000 } });
    expect((await detailOf(ada, id)).state).toBe('finished');
    expect(bind.records().join('\n')).toMatch(new RegExp(`^${name}.*${server.host.host}$`, 'm'));
    expect(await page(name)).toMatchObject({ status: 200, text: 'v1.0\n' });
    const made = async (kind: string) =>
      (await sectionOf(ada, id, 'dns')).made.find((one) => one.kind === kind)?.id ?? '';
    // The three links.
    const [service, domain] = [await made('service'), await made('domain')];
    expect(await good(ada, 'product/detail', { id: product })).toMatchObject({ name: 'Box' });
    expect(await good(ada, 'service/detail', { id: service })).toMatchObject({ name: 'box' });
    expect(await good<DomainView>(ada, 'domain/detail', { id: domain })).toMatchObject({
      serverName: name,
      // Asked for with Docker, but the nginx of this server runs in no container.
      config: { options: { ssl: false, docker: false, gzip: true } },
    });

    await complete(ada, id, { certificate: {} });
    expect(await page(name, root)).toMatchObject({ status: 200, text: 'v1.0\n' });

    const { runId } = await good<{ runId: string }>(ada, 'creation/section/undo', {
      id,
      section: 'certificate',
    });
    await undo(ada, id, ['certificate', 'dns', 'repo']);
    expect(await running()).toBe(0);
    expect(await server.inside('ls /root/volumes/nginx_config')).not.toContain(name);
    expect(JSON.stringify(await good(ada, 'run/output', { id: runId }))).toContain('stays');
    expect((await ada.post('service/detail', { id: service })).status).toBe(404);
    expect((await ada.post('domain/detail', { id: domain })).status).toBe(404);
  });

  describe('on a server whose nginx runs in a container', () => {
    beforeAll(async () => {
      const { dockerCompose } = await good<{ dockerCompose: string }>(ground.ada, 'server/config', at);
      await server.inside('mkdir -p /etc/letsencrypt /root/volumes/.quarterdeck/logs');
      await startNginxContainer(server, dockerCompose);
    });
    afterAll(async () => {
      await server.inside('docker rm --force quarterdeck-nginx && systemctl start nginx');
    });

    test('a container is deployed with Docker on, and is no longer served once that is undone', async () => {
      const { ada } = ground;
      publish();
      const name = 'inside.example.test';
      const id = await begin(ada, 'container', { repoUrl: 'https://github.com/acme/shop' });
      await complete(ada, id, { dns: { subdomain: 'inside', port: 3000 } });
      const domain = (await sectionOf(ada, id, 'dns')).made.find(({ kind }) => kind === 'domain')?.id ?? '';
      expect(await good<DomainView>(ada, 'domain/detail', { id: domain })).toMatchObject({
        config: { options: { ssl: false, docker: true, gzip: true } },
      });
      expect(await page(name)).toMatchObject({ status: 200, text: 'v1.0\n' });
      await undo(ada, id, ['dns', 'repo']);
      expect(await running()).toBe(0);
      expect(await server.inside('ls /root/volumes/nginx_config')).not.toContain(name);
    });

    test('a product with a client part serves both, from a registry of containers and one of npm', async () => {
      const { ada } = ground;
      const name = 'both.example.test';
      bind.change(`add ${name} 60 A ${server.host.host}`);
      await registry.publish('@acme/client', '1.0.0', { 'index.html': 'client 1.0.0\n' });
      const id = await begin(ada, 'product', { name: 'Both', structure: true, version: true });
      await complete(ada, id, {
        database: { host: 'db.example.test', name: 'shop', username: 'shop', password: PASSWORD, port: 3306 },
        repository: {
          organization: 'acme',
          repo: 'shop',
          repoFront: 'client',
          fromTemplate: { server: true, client: true },
        },
        server: { server: at },
        service: { name: 'both-api', port: 3000, portFront: 3001, withDb: true },
        domain: { serverName: name },
      });
      publish();
      const client = (await sectionOf(ada, id, 'service')).made.find(({ kind }) => kind === 'client')?.id;
      const data = { version: '1.0.0', image: '@acme/client@1.0.0', digest: '' };
      await good(ada, 'package/insert', { data, service: { id: client } });
      await complete(ada, id, { deploy: { env: 1 } });
      expect(await page(name)).toMatchObject({ status: 200, text: 'client 1.0.0\n' });
      // The server part gets the whole path.
      await server.inside(`docker exec $(docker ps -q --filter label=quarterdeck.service) \\
        sh -c 'busybox mkdir -p /www/api; echo api > /www/api/index.html'`);
      expect(await page(name, undefined, '/api/')).toMatchObject({ status: 200, text: 'api\n' });
      expect(ground.github.repository('acme', 'client')?.files()).toHaveProperty([
        '.github/workflows/publish-package.yml',
      ]);
      await undo(ada, id, ['deploy']);
      expect((await page(name)).text).not.toContain('client 1.0.0');
      expect((await page(name, undefined, '/api/')).text).not.toBe('api\n');
      await undo(ada, id, ['domain', 'service', 'server', 'repository', 'database', 'product']);
    });
  });

  // The last test: the machine behind the droplet is the server of the others, and gets other keys.
  test('a droplet is created, initialized and serves the page, and is deleted again', async () => {
    const { ada, world } = ground;
    hurry(world.backend);
    cloud.account.boot = async (given) => {
      await cloudInit(server.host, given);
      return { address: server.host.host, stop: () => Promise.resolve() };
    };
    expect(await ada.post('digitalocean/token/update', { token: cloud.token })).toMatchObject({
      status: 200,
    });
    const [name, droplet] = ['cloud.example.test', 'cloud-1'];
    bind.change(`add ${name} 60 A ${server.host.host}`);
    const id = await begin(ada, 'product', { name: 'Cloud', structure: true, version: true });
    const create = {
      name: droplet,
      region: 'fra1',
      size: 's-1vcpu-1gb',
      image: 'debian-12-x64',
      backups: false,
    };
    await complete(ada, id, {
      database: { host: 'db.example.test', name: 'shop', username: 'shop', password: PASSWORD, port: 3306 },
      repository: { organization: 'acme', repo: 'shop', fromTemplate: { server: true, client: false } },
      server: { create },
      service: { name: 'cloud-api', port: 3000, withDb: true },
      domain: { serverName: name },
    });
    const made = async (section: string, kind: string) =>
      (await sectionOf(ada, id, section)).made.find((one) => one.kind === kind)?.id ?? '';
    const own = await made('server', 'server');
    expect(await good(ada, 'server/detail', { id: own })).toMatchObject({
      alias: droplet,
      host: server.host.host,
      initialized: expect.anything(),
      docker: expect.anything(),
    });
    expect([...cloud.account.keys.values()]).toEqual([]);
    const domain = await made('domain', 'domain');
    const options = { ssl: true, docker: false, gzip: true };
    const { runId } = await good<{ runId: string }>(ada, 'nginx/certbot', { id: domain, options });
    expect((await ended(ada, runId)).run).toMatchObject({ state: 'succeeded' });
    publish();
    await complete(ada, id, { deploy: { env: 1 } });
    expect((await detailOf(ada, id)).state).toBe('finished');
    expect(await page(name, root)).toMatchObject({ status: 200, text: 'v1.0\n' });

    // The location is no longer served once it is undone, although the domain stays.
    await undo(ada, id, ['deploy']);
    expect(await page(name, root)).not.toMatchObject({ text: 'v1.0\n' });
    expect(await running()).toBe(0);
    expect((await ada.post('creation/section/undo', { id, section: 'server' })).status).toBe(409);
    await undo(ada, id, ['domain', 'service', 'server'], { server: droplet });
    expect([...cloud.account.droplets.values()]).toEqual([]);
    expect((await ada.post('server/detail', { id: own })).status).toBe(404);
    expect(cloud.undescribed).toEqual([]);
  });
}
