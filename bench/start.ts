/**
 * From `npm start`, with everything installed and built, to `ready`; the same after kill -9; and the size of the first
 * load in the browser.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { finish, median, state, turnsOf } from './harness';

const TURNS = turnsOf(5, 2);
const KILOBYTE = 1000;

interface Started {
  ms: number;
  url: string;
  end(signal: NodeJS.Signals): Promise<void>;
}

function start(dataDir: string): Promise<Started> {
  const began = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('npm start ended before it was ready')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /^ready (\S+)/.exec(line)?.[1];
      if (url === undefined) return;
      const end = (signal: NodeJS.Signals) => {
        process.kill(-(child.pid as number), signal);
        return ended;
      };
      resolve({ ms: performance.now() - began, url, end });
    });
  });
}

const seconds = (values: number[]) => `median ${(median(values) / 1000).toFixed(2)} s of ${values.length}`;

/** The first load: everything that the page names, and its static imports, before a route is opened. */
function firstLoad(): number {
  const page = fs.readFileSync('dist/console/index.html', 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(
    (match) => match[1] as string,
  );
  return scripts.reduce(
    (sum, file) => sum + gzipSync(fs.readFileSync(path.join('dist/console', file))).length,
    0,
  );
}

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-bench-start-'));
fs.chmodSync(dataDir, 0o755);
const warm: number[] = [];
const afterKill: number[] = [];

const first = await start(dataDir);
await first.end('SIGTERM');
for (let turn = 0; turn < TURNS; turn += 1) {
  const started = await start(dataDir);
  warm.push(started.ms);
  await started.end('SIGKILL');
  const again = await start(dataDir);
  afterKill.push(again.ms);
  await again.end('SIGTERM');
}
fs.rmSync(dataDir, { recursive: true, force: true });

const size = firstLoad() / KILOBYTE;
finish([
  state(
    'npm start, a fresh data folder',
    first.ms,
    { atMost: 3000 },
    `${(first.ms / 1000).toFixed(2)} s, target <= 3 s`,
  ),
  state('npm start', median(warm), { atMost: 2000 }, `${seconds(warm)}, target <= 2 s`),
  state(
    'npm start after kill -9',
    median(afterKill),
    { atMost: 5000 },
    `${seconds(afterKill)}, target <= 5 s`,
  ),
  state(
    'first load of the console',
    size,
    { atMost: 200 },
    `${size.toFixed(0)} kB of script, gzip, target <= 200 kB`,
  ),
]);
