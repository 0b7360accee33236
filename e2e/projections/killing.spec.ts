import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { WORKSPACE } from './happenings';
import { openWorld, type World } from './world';
import { PATIENCE_MS } from '../../testing/patience';

const root = path.resolve(__dirname, '../..');
const KILLS = 3;

let world: World;
let folder: string;
let program: string;
const living = new Set<ChildProcess>();

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'quarterdeck-leader-'));
  program = path.join(folder, 'leader.mjs');
  await promisify(execFile)(
    process.execPath,
    [
      path.join(root, 'node_modules/rolldown/bin/cli.mjs'),
      path.join(__dirname, 'leader-process.ts'),
      '--platform',
      'node',
      '--format',
      'esm',
      '--external',
      'pg-native',
      '--no-code-splitting',
      '--log-level',
      'silent',
      '--file',
      program,
    ],
    { cwd: root },
  );
  world = await openWorld();
});
afterAll(async () => {
  for (const child of living) child.kill('SIGKILL');
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Leader {
  child: ChildProcess;
  applied: string;
}

async function startProcess(): Promise<Leader> {
  const child = fork(program, [world.url], { execArgv: [] });
  living.add(child);
  const leader: Leader = { child, applied: '0' };
  child.on('message', (message: 'started' | { applied: string }) => {
    if (message !== 'started') leader.applied = message.applied;
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`ended with ${code} at once`))),
  ]);
  return leader;
}

describe('kill -9 of the leading process', () => {
  test('at random moments between append and projection: the next one takes over, and every event counts once', async () => {
    const processes = [await startProcess(), await startProcess()];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const leader = await leaderOf(processes);
      await pause(50 + 100 * Math.random());
      leader.child.kill('SIGKILL');
      living.delete(leader.child);
      processes.splice(processes.indexOf(leader), 1);
      const before = processes[0]?.applied;
      while (processes[0]?.applied === before) await pause(5);
      processes.push(await startProcess());
    }
    for (const { child } of processes) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const runner = await world.runner();
    let head = '';
    let row: Record<string, unknown> | undefined;
    // Postgres may still be writing the last batch of a process that was killed.
    while (head !== (await world.store.head())) {
      head = await world.store.head();
      expect(await runner.waitFor(head, PATIENCE_MS)).toBe(true);
      [row] = await world.rows('select view from read.tally');
    }
    const events = Number(head);
    expect(events).toBeGreaterThan(100);
    expect(row?.view).toEqual({ workspace: WORKSPACE, events, last: head, sum: (events * (events + 1)) / 2 });
    for (const result of await runner.verify()) expect(result).toMatchObject({ ok: true, differing: 0 });
  });
});

/** The process that most recently reported events that it applied itself. */
async function leaderOf(processes: Leader[]): Promise<Leader> {
  for (;;) {
    const before = processes.map(({ applied }) => applied);
    await pause(30);
    const found = processes.find(({ applied }, index) => applied !== before[index]);
    if (found) return found;
  }
}
