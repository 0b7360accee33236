/** Every program that starts the embedded Postgres stops it again, whichever signal ends the program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { commands } from '../../apps/backend/src/commands';
import { startPostgres, stopPostgres } from '../../apps/backend/src/platform/database/postgres-server';
import { until } from '../../testing/patience';
import { buildBackend, placeOf, spawnBackend } from '../../testing/backend';
import { processesNaming } from '../../testing/processes';

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-interrupts-'));
const postmaster = path.join(dataDir, 'postgres/postmaster.pid');

beforeAll(async () => {
  fs.chmodSync(dataDir, 0o755);
  await buildBackend();
  const first = await spawnBackend({ dataDir });
  expect(await first.stop()).toBe(0);
});
afterAll(async () => {
  await stopPostgres(dataDir, 'immediate');
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const samples: Record<string, string[]> = {
  'sign-in-link': ['--workspace', 'main'],
  projections: ['rebuild'],
  audit: ['export', path.join(dataDir, 'backups', 'export.jsonl')],
  log: ['status'],
  backup: ['create'],
  restore: ['--release'],
  'rotate-key': [],
};

interface Program {
  name: string;
  args: string[];
  /** Its exit codes. */
  ends: number[];
}

const programs: Program[] = [
  // A start whose database does not answer is given up after a time.
  { name: 'start', args: ['dist/backend/main.js'], ends: [0, 1] },
  ...Object.entries(samples).map(([name, args]) => ({
    name,
    args: ['dist/backend/cli.js', name, ...args],
    ends: [130],
  })),
];

const spawned = ({ args }: Program) => {
  const env = { PATH: process.env.PATH, ...placeOf({ dataDir }), PORT: '0' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, said: () => said };
};

/** Shows what the program said if it fails. */
const expectEnd = (ends: number[], code: number | null, said: string): void =>
  expect([code, ends.includes(code ?? -1) ? '' : said]).toEqual([code, '']);

const expectNothingLeft = (): void => {
  expect(processesNaming(path.join(dataDir, 'postgres'))).toEqual([]);
  expect(fs.existsSync(postmaster)).toBe(false);
};

test('every command is tried here', () => {
  expect(Object.keys(samples)).toEqual(Object.keys(commands));
});

test.each(programs)('$name: one Ctrl-C while its Postgres starts', async (program) => {
  const { child, ended, said } = spawned(program);
  await until(() => fs.existsSync(postmaster) || child.exitCode !== null, 2);
  child.kill('SIGINT');
  // On a busy machine a command may have ended by itself before.
  expectEnd([...program.ends, 0], await ended, said());
  expectNothingLeft();
});

describe.each([
  ['two Ctrl-C in a row', ['SIGINT', 'SIGINT']],
  ['SIGTERM', ['SIGTERM']],
] as const)('%s while a program waits for its Postgres', (_, signals) => {
  test.each(programs)('$name', async (program) => {
    const server = await startPostgres({ dir: dataDir });
    const client = new Client({ connectionString: server.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin; lock table app.migrations');
    const { child, ended, said } = spawned(program);
    const waiting = `select from pg_stat_activity where application_name = 'quarterdeck' and wait_event_type = 'Lock'`;
    await until(async () => {
      // Within a transaction, Postgres answers from what it saw first.
      await client.query('select pg_stat_clear_snapshot()');
      return (await client.query(waiting)).rowCount !== 0;
    });
    // From now on, the program is the only one that uses the server.
    await server.stop();
    expect(fs.existsSync(postmaster)).toBe(true);
    for (const signal of signals) child.kill(signal);
    expectEnd(program.ends, await ended, said());
    expectNothingLeft();
    await client.end().catch(() => undefined);
  });
});
