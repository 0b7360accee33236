/**
 * `npm run demo`: the console with servers to try it on, and with domains if this machine can run them. The servers are
 * real sshds on loopback with throw-away keys. The data folder is temporary, unless `DATA_DIR` names one, which is
 * kept. Ctrl-C ends and removes everything else.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { startDemoHost, type DemoHost } from '../../testing/demo-host';
import { operator, type Operator } from '../../testing/operator';
import { startDemoContainers } from './demo-containers';
import { modelOf } from './demo-model';
import { startDemoRequests } from './demo-requests';
import { startDemoSites } from './demo-sites';
import { notificationsOf } from './demo-notifications';
import { textsOf } from './demo-texts';
import { startDemoWork } from './demo-work';

const WORKSPACE = 'main';
const ALIASES = ['web-1', 'web-2', 'build'];
const PRODUCTS = [
  { name: 'Shop', description: 'Catalogue, basket and checkout for customers.' },
  { name: 'Billing', description: 'Invoices and payment reminders, sent once a month.' },
  { name: 'Help desk', description: '' },
];

const MAILS = [
  {
    from: 'shop@example.test',
    recipients: ['mia@example.test'],
    subject: 'Your order 1042 is on its way',
    body: 'Hello Mia,\n\nyour parcel left our house today.\n\nThe shop\n',
  },
  {
    from: 'shop@example.test',
    recipients: ['eve@example.test', 'sales@example.test'],
    subject: 'Invoice for October',
    body: 'Hello Eve,\n\nplease find below what October has cost: 412.50.\n',
  },
  {
    from: 'no-reply@example.test',
    recipients: ['tom@example.test'],
    subject: 'Reset your password',
    body: 'Somebody asked for a new password. If it was not you, do nothing.\n',
  },
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-demo-'));
const dataDir = process.env.DATA_DIR ? path.resolve(process.env.DATA_DIR) : path.join(folder, 'data');
// Other data would be mixed with the demo's, and an earlier demo refers to servers that no longer exist.
if (fs.existsSync(dataDir) && fs.readdirSync(dataDir).length > 0) {
  fs.rmSync(folder, { recursive: true, force: true });
  console.error(
    `DATA_DIR: the demo needs an empty folder, and ${dataDir} has files in it; choose another one`,
  );
  process.exit(78);
}
const env: NodeJS.ProcessEnv = {
  ...process.env,
  DATA_DIR: dataDir,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
};
const sitesStarting = startDemoSites(folder);
const requestsStarting = startDemoRequests();
const workStarting = startDemoWork();
const containersStarting = startDemoContainers();
const starting = ALIASES.map(() => startDemoHost());
let backend: ChildProcess | undefined;
let ending = false;
// Installed at once, so that no server is left behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));

try {
  const [sites, ...hosts] = await Promise.all([sitesStarting, ...starting]);
  const requests = await requestsStarting;
  const work = await workStarting;
  const containers = await containersStarting;
  Object.assign(env, { OUTBOUND_ALLOW: requests.allow }, sites.env);
  const url = ending ? '' : await startConsole();
  const ada = await operator(url).signIn(codeOf(await linkFor('ada@example.test')));
  await ada.post('person/rename', { name: 'Ada Marsh' });
  const products: string[] = [];
  for (const data of PRODUCTS)
    products.push((await ada.post<{ id: string }>('product/insert', { data })).body.id);
  await modelOf(ada, products[0] ?? '');
  await textsOf(ada, products[0] ?? '');
  await requests.fill(ada, products[0] ?? '');
  for (const mail of MAILS)
    await ada.post('email/insert', { data: { ...mail, product: { id: products[0] } } });
  await notificationsOf(ada, products[0] ?? '');
  const servers = await Promise.all(hosts.map((host, index) => fill(ada, ALIASES[index] as string, host)));
  await work.fill(ada, products[0] ?? '', servers);
  const [again, other, member] = await Promise.all([
    linkFor('ada@example.test'),
    linkFor('grace@example.test'),
    linkFor('mia@example.test', 'member'),
  ]);
  console.log(`ready ${url}`);
  console.log(`sign in as Ada    ${again}`);
  console.log(`sign in as Grace  ${other}  (in another browser, to see at once what Ada does)`);
  console.log(`sign in as Mia    ${member}  (a member, who can do less)`);
  const kept = process.env.DATA_DIR ? `everything but the data in ${dataDir}` : 'all of it';
  console.log(`Ctrl-C ends the demo and removes ${kept}.`);
  for (const line of [...containers.without, ...sites.without]) console.log(line);
  // Ada can watch this already: it takes half a minute and is worth seeing.
  const filled = await Promise.all([
    added('domains', sites, () => sites.fill(ada)),
    added('a deployed container', containers, () => containers.fill(ada, products[0] ?? '')),
  ]);
  console.log(await whatIsThere(ada));
  const more = filled.filter((one) => one !== undefined);
  console.log(more.length > 0 ? `filled, with ${more.join(' and ')}` : 'filled');
} catch (error) {
  if (!ending) console.error(error);
  await end(1);
}

async function whatIsThere(by: Operator): Promise<string> {
  const { body: servers } = await by.post<object[]>('server/list');
  const { body: domains } = await by.get<object[]>('domain/list');
  const { body: products } = await by.post<object[]>('product/list');
  return (
    `There are ${servers.length} servers, ${domains.length} domains, ${products.length} products, a database with version 1 of the data model of Shop,\n` +
    'services with variables, scripts with runs, saved requests, texts and e-mails.'
  );
}

/** @returns what the demo has now; nothing if this machine cannot run it, or if it failed */
async function added(
  what: string,
  { without }: { without: readonly string[] },
  adds: () => Promise<void>,
): Promise<string | undefined> {
  try {
    await adds();
    return without.length > 0 ? undefined : what;
  } catch (error) {
    if (!ending) console.error(`${what}: not complete:`, error);
    return undefined;
  }
}

/** @returns its address */
function startConsole(): Promise<string> {
  // Ends the console whenever this process ends; otherwise it would stay, with its database.
  const tied = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'TERM'] : [];
  const [program, ...args] = [...tied, process.execPath, '--enable-source-maps', 'dist/backend/main.js'];
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  backend = child;
  child.once('exit', (code) => void end(code ?? 1));
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^ready (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

async function linkFor(email: string, role: 'admin' | 'member' = 'admin'): Promise<string> {
  const args = [
    'dist/backend/cli.js',
    'sign-in-link',
    '--workspace',
    WORKSPACE,
    '--email',
    email,
    '--role',
    role,
  ];
  return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim();
}

function codeOf(link: string): string {
  return new URL(link).searchParams.get('code') ?? '';
}

/** Registers a server, pins its key and runs some commands, so that it has a past. @returns its id */
async function fill(by: Operator, alias: string, host: DemoHost): Promise<string> {
  const { host: address, port, username, root, privateKey, path: folder, nginxPath } = host;
  const server = { alias, host: address, port, username, root, path: folder, nginxPath, privateKey };
  const added = await by.post<{ id: string }>('server/insert', server);
  if (added.status >= 300)
    throw new Error(`${alias} was not added: ${added.status} ${JSON.stringify(added.body)}`);
  await by.post('server/contact', { id: added.body.id });
  for (const cmdType of [1, 2, 3]) await by.post('server/execCmd', { id: added.body.id, cmdType });
  return added.body.id;
}

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  if (backend?.kill('SIGTERM')) await once(backend, 'exit');
  await Promise.allSettled(
    [sitesStarting, requestsStarting, workStarting, containersStarting, ...starting].map(async (one) =>
      (await one).stop(),
    ),
  );
  fs.rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
