/** `npm start` as people and service managers use it: ready line, console and API on one port, ways to end it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { stopPostgres } from '../../apps/backend/src/platform/database/postgres-server';

const root = path.resolve(__dirname, '../..');
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-start-'));
const started: ChildProcess[] = [];

afterAll(async () => {
  for (const child of started) endGroup(child, 'SIGKILL');
  await stopPostgres(dataDir, 'immediate');
  fs.rmSync(dataDir, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  url: string;
  signIn: string;
}

function start(): Promise<Started> {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' },
  });
  started.push(child);
  return new Promise((resolve, reject) => {
    let url: string | undefined;
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      url ??= /^ready (\S+)$/.exec(line)?.[1];
      const signIn = /^sign in (\S+)$/.exec(line)?.[1];
      if (url && signIn) resolve({ child, url, signIn });
    });
  });
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid as number), signal);
  } catch {
    // The whole process group has ended.
  }
}

const isUp = (url: string) =>
  fetch(`${url}/api/health/live`).then(
    (answer) => answer.ok,
    () => false,
  );

async function isDownSoon(url: string): Promise<boolean> {
  for (const end = Date.now() + 120_000; Date.now() < end;) {
    if (!(await isUp(url))) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

it('serves console and API on one port, and prints its address and a sign-in link', async () => {
  const { child, url, signIn } = await start();

  expect(signIn).toMatch(new RegExp(`^${url}/login\\?return=/app&code=[\\w-]+$`));
  const page = await fetch(`${url}/servers`);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain('<div id="root">');
  expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);

  endGroup(child, 'SIGTERM');
  expect(await isDownSoon(url)).toBe(true);
});

it('reports a wrong setting in one line, and npm passes on the exit code without adding output', async () => {
  const env = { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '70000' };
  // npm's own warnings about the machine's settings are ignored.
  const child = spawn('npm', ['start', '--silent'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  expect(await once(child, 'exit')).toEqual([78, null]);
  expect(said.replaceAll(/^npm warn .*\n/gm, '')).toBe('PORT=70000 is not a port between 0 and 65535\n');
});

it.each(['start', 'dev', 'build', 'cli', 'test', 'demo', 'bench', 'faults'])(
  'scripts/%s.mjs ends on an unsupported version of Node with a one-line message',
  async (script) => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '20.18.3' });`;
    const child = spawn(process.execPath, ['-e', `${older} import('./scripts/${script}.mjs')`], {
      cwd: root,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
    expect(await once(child, 'close')).toEqual([78, null]);
    expect(said).toBe('Node 20.18.3 is too old: install Node 20.19, 22, 24 or 26\n');
  },
);

it('ends when npm is killed and cannot pass the signal on', async () => {
  const { child, url } = await start();
  child.kill('SIGKILL');
  expect(await isDownSoon(url)).toBe(true);
});

it('starts again after all its processes were killed', async () => {
  const first = await start();
  endGroup(first.child, 'SIGKILL');
  const second = await start();
  expect(await isUp(second.url)).toBe(true);
  endGroup(second.child, 'SIGTERM');
  expect(await isDownSoon(second.url)).toBe(true);
});
