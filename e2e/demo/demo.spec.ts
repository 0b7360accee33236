/** `npm run demo`, from its first line until no file of it is left. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { DomainRow, RunView, ServerView } from '@quarterdeck/projections';
import { acmeLacks } from '../../testing/acme';
import { operator, type Operator } from '../../testing/operator';
import { until } from '../../testing/patience';
import { packagesLack } from '../../testing/debian-packages';
import { needs } from '../../testing/throwaway-needs';
import { packages } from '../deploys/container-server';
import { setupTestsLack } from '../servers/setup-world';

const lacking = [...setupTestsLack(['certbot', 'curl', 'nginx']), ...acmeLacks(), ...packagesLack(packages)];
needs('this machine can bring up throw-away servers with certbot, an authority and Docker', lacking);

const folder = mkdtempSync(join(tmpdir(), 'demo-'));
chmodSync(folder, 0o755);
let demo: ChildProcess | undefined;
afterEach(async () => {
  if (demo?.exitCode === null && demo.kill('SIGKILL')) await once(demo, 'exit');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns the output up to the line that reports that everything is ready, and Ada */
const start = async (env: Record<string, string> = {}): Promise<{ said: string[]; ada: Operator }> => {
  const child = spawn(process.execPath, ['scripts/demo.mjs'], {
    cwd: resolve(__dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', TMPDIR: folder, PORT: '0', HOST: '127.0.0.1', ...env },
  });
  demo = child;
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line.startsWith('filled')) break;
  }
  child.stdout.resume();
  const [, url = '', code = ''] = /sign in as Ada +(http\S+)\/login\?code=(\S+)/.exec(said.join('\n')) ?? [];
  return { said, ada: await operator(url).signIn(code) };
};

/** Ends it as Ctrl-C does. */
const end = async (): Promise<void> => {
  const over = once(demo as ChildProcess, 'exit');
  demo?.kill('SIGTERM');
  expect(await over).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual([]);
};

/** The version is in a real database, the scripts ran on all servers, and one of them failed. */
const isWorkedOn = async (ada: Operator, product: string): Promise<void> => {
  const within = { product: { id: product } };
  await until(async () => {
    const { body } = await ada.post<{ applied: object[] }[]>('data-model/version/list', { id: product });
    return body[0]?.applied.length === 1;
  });
  const { body: services } = await ada.post<{ id: string; name: string }[]>('service/list', within);
  expect(services.map(({ name }) => name)).toEqual(['Storefront']);
  const fleets = async () => {
    const { body } = await ada.post<{ runs: RunView[] }>('run/list', {});
    return body.runs.filter(({ kind }) => kind === 'fleet').map(({ state }) => state);
  };
  await until(async () => (await fleets()).every((state) => /succeeded|failed/.test(state)));
  expect((await fleets()).toSorted()).toEqual(['failed', 'succeeded', 'succeeded']);
};

test('refuses a DATA_DIR with files in it, and touches none of them', async () => {
  const kept = mkdtempSync(join(tmpdir(), 'demo-data-'));
  writeFileSync(join(kept, 'file'), '');
  const child = spawn(process.execPath, ['scripts/demo.mjs'], {
    cwd: resolve(__dirname, '../..'),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', TMPDIR: folder, DATA_DIR: kept, THROWAWAY_SERVERS: 'off' },
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(said).toContain(`DATA_DIR: the demo needs an empty folder, and ${kept} has files in it`);
  expect([code, readdirSync(kept), readdirSync(folder)]).toEqual([78, ['file'], []]);
  rmSync(kept, { recursive: true });
});

test('starts without a name server and throw-away servers, says what is missing, and leaves nothing behind', async () => {
  const data = join(folder, '..', `${basename(folder)}-data`);
  const { said, ada } = await start({ THROWAWAY_SERVERS: 'off', DATA_DIR: data });
  expect(said).toContain('without domains: THROWAWAY_SERVERS is off');
  expect(said).toContain('without a deployed container: THROWAWAY_SERVERS is off');
  expect(said.at(-1)).toBe('filled');
  const { body } = await ada.post<ServerView[]>('server/list');
  expect(body.map(({ alias }) => alias).sort()).toEqual(['build', 'web-1', 'web-2']);
  const products = await ada.post<{ id: string; name: string }[]>('product/list');
  expect(products.body.map(({ name }) => name)).toEqual(['Billing', 'Help desk', 'Shop']);
  const shop = products.body.find(({ name }) => name === 'Shop');
  const pending = await ada.post<{ last: number; changes: { words: string }[] }>(
    'data-model/version/pending',
    { id: shop?.id },
  );
  expect([pending.body.last, pending.body.changes.length]).toEqual([1, 1]);
  await isWorkedOn(ada, shop?.id ?? '');
  expect(said).toContainEqual(expect.stringMatching(/^sign in as Mia .*a member/));
  expect(said).toContain(`Ctrl-C ends the demo and removes everything but the data in ${data}.`);
  expect(said).toContainEqual(
    expect.stringMatching(/^There are 3 servers, 0 domains, 3 products, a database/),
  );
  await end();
  // The data is in the requested folder, and stays.
  expect(existsSync(join(data, 'postgres'))).toBe(true);
  rmSync(data, { recursive: true });
});

if (lacking.length === 0)
  test('shows domains in all states with them, one with a certificate from the authority, and a deployed container', async () => {
    const { said, ada } = await start();
    expect(said.at(-1)).toBe('filled, with domains and a deployed container');
    expect(said).toContain('Ctrl-C ends the demo and removes all of it.');
    const { body } = await ada.get<DomainRow[]>('domain/list');
    const states = body.map(({ serverName, dns, config, certificate, served }) => ({
      name: serverName.replace('.example.test', ''),
      pointsHere: dns?.pointsHere,
      live: config && (config.options.ssl ? 'https' : 'http'),
      issued: certificate !== undefined,
      shows: served?.valid === true ? 'valid' : served?.code,
    }));
    const here = { pointsHere: true, live: undefined, issued: false };
    expect(states).toEqual([
      // No site of theirs has a certificate, and nobody else's is shown for their names.
      { name: 'blog', ...here, shows: 'handshake' },
      { name: 'docs', ...here, live: 'http', shows: 'handshake' },
      { name: 'intranet', ...here, shows: 'CERT_HAS_EXPIRED' },
      { name: 'mail', ...here, shows: 'valid' },
      { name: 'moved', ...here, pointsHere: false, shows: 'refused' },
      { name: 'partner', ...here, shows: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      { name: 'shop', ...here, live: 'https', issued: true, shows: 'valid' },
    ]);
    const running = await ada.post<{ service: { name: string }; package: { version: string } }[]>(
      'deploy/release/running',
      {},
    );
    expect(running.body.map(({ service, package: { version } }) => [service.name, version])).toEqual([
      ['Orders', '1.1.0'],
    ]);
    await end();
  });
