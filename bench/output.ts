/**
 * Following a run's output: 50 MB of text from one step, from the call to the recorded end, against `ssh host cat` of
 * the same file to nowhere. Ours is started detached, decoded, searched for secrets, stored, hashed and pushed to a
 * watching browser. Then the delay of a line in a second browser: each line contains the time at which it was printed.
 */
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { v5 as uuidv5 } from 'uuid';
import { connectSocket, type Listener } from '../testing/socket';
import { operator, type Operator } from '../testing/operator';
import { startSshd, type Sshd } from '../testing/sshd';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { compare, amountOf, finish, memoryOf, percentile, state, type Line } from './harness';

const MEGABYTE = 1024 * 1024;
const SIZE = amountOf(50) * MEGABYTE;
const LINES = 400;

const text = (): string => {
  let lines = '';
  while (lines.length < SIZE) lines += `${randomBytes(36).toString('base64')} \u{1F6F3}\n`;
  return lines;
};

const execute = promisify(execFile);

const floorOf = (sshd: Sshd, key: string, file: string) => async (): Promise<number> => {
  const began = performance.now();
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
  await execute(
    'sh',
    [
      '-c',
      'exec ssh "$@" >/dev/null',
      'sh',
      ...options.flatMap((option) => ['-o', option]),
      '-i',
      key,
      '-p',
      String(sshd.port),
      `${sshd.username}@${sshd.host}`,
      `cat ${file}`,
    ],
    { maxBuffer: MEGABYTE },
  );
  return performance.now() - began;
};

interface Ours {
  who: Operator;
  server: string;
  socket: Listener;
}

const script = async (who: Operator, name: string, body: string): Promise<string> => {
  const { status, body: answer } = await who.post<{ id: string }>('script/insert', {
    name,
    body,
    changes: false,
    timeoutSeconds: 600,
  });
  if (status !== 200) throw new Error(`script/insert answered ${status}: ${JSON.stringify(answer)}`);
  return answer.id;
};

/** Runs the script on the only server. @returns the id of the run once it has ended */
const run = async ({ who, server, socket }: Ours, of: string): Promise<string> => {
  const runId = randomUUID();
  const child = uuidv5(server, runId);
  const before = socket.changes.length;
  const { status, body } = await who.post('fleet/start', { servers: [server], script: of, runId });
  if (status !== 200) throw new Error(`fleet/start answered ${status}: ${JSON.stringify(body)}`);
  const ends = new Set(['RunSucceeded', 'RunFailed', 'RunInterrupted']);
  const ended = () =>
    socket.changes.slice(before).find(({ type, stream }) => stream === `run-${child}` && ends.has(type));
  await socket.until(() => ended() !== undefined);
  if (ended()?.type !== 'RunSucceeded') throw new Error(`the run ended as ${ended()?.type}`);
  return child;
};

const follow = async (ours: Ours, of: string, check: (bytes: number) => void): Promise<number> => {
  const began = performance.now();
  const child = await run(ours, of);
  const took = performance.now() - began;
  const { body } = await ours.who.post<{ steps: { output: { bytes: number } }[] }>('run/detail', {
    id: child,
  });
  check(body.steps[0]?.output.bytes ?? 0);
  return took;
};

const delays = async (ours: Ours, second: Listener, of: string): Promise<number[]> => {
  const late: number[] = [];
  second.socket.on('output', ({ chunks }: { chunks: { text: string }[] }) => {
    const now = Date.now();
    for (const { text } of chunks)
      for (const [, printed] of text.matchAll(/^(\d{13})$/gm)) late.push(now - Number(printed));
  });
  second.socket.on('changes', ({ events }: { events: { type: string; stream: string }[] }) => {
    for (const { type, stream } of events)
      if (type === 'RunStepStarted') void second.watch(stream.replace('run-', ''));
  });
  await run(ours, of);
  return late;
};

const lines: Line[] = [];
await withDurablePostgres(async (url) => {
  const sshd = await startSshd();
  const backend = await spawnConsole(url);
  try {
    const who = await operator(backend.url).signIn(
      new URL(backend.signInLink).searchParams.get('code') ?? '',
    );
    const { privateKey } = await sshd.keyFor('ed25519');
    const key = path.join(sshd.folder, 'key');
    fs.writeFileSync(key, privateKey, { mode: 0o600 });
    const file = path.join(sshd.folder, 'text');
    const said = text();
    fs.writeFileSync(file, said);
    const { body } = await who.post<{ id: string }>('server/insert', {
      alias: 'one',
      host: sshd.host,
      port: sshd.port,
      username: sshd.username,
      privateKey,
      root: '/root',
      path: '/root/volumes/static',
      nginxPath: '/root/volumes/nginx_config',
    });
    const from = (await who.post('server/list')).headers.get('x-position') ?? '0';
    const [first, second] = [await connectSocket(who), await connectSocket(who)];
    for (const socket of [first, second]) await socket.resume(from);
    const ours = { who, server: body.id, socket: first };
    const cat = await script(who, 'cat', `cat ${file}\n`);
    const size = Buffer.byteLength(said);
    const idle = memoryOf(backend.pid).peak;
    lines.push(
      await compare({
        what: `following ${Math.round(size / MEGABYTE)} MB of output`,
        unit: 'ms',
        target: { atMost: 2.5 },
        floor: { name: 'ssh host cat', turn: floorOf(sshd, key, file) },
        ours: {
          name: 'run',
          turn: () =>
            follow(ours, cat, (bytes) => {
              if (bytes !== size) throw new Error(`${bytes} bytes of ${size} were recorded`);
            }),
        },
        turns: 3,
      }),
    );
    const peak = memoryOf(backend.pid).peak;
    lines.push(
      state(
        'memory of the back end over it',
        peak - idle,
        { atMost: 300 },
        `${Math.round(idle)} MB before, ${Math.round(peak)} MB at most, wanted at most 300 MB more`,
      ),
    );
    const clock = await script(
      who,
      'clock',
      `n=0; while [ $n -lt ${LINES} ]; do date +%s%3N; sleep 0.02; n=$((n + 1)); done\n`,
    );
    const late = await delays(ours, second, clock);
    if (late.length !== LINES) throw new Error(`${late.length} of ${LINES} lines came`);
    const [p50, p99] = [percentile(late, 50), percentile(late, 99)];
    lines.push(
      state(
        'a line in the second browser, p99',
        p99,
        { atMost: 100 },
        `${p99.toFixed(0)} ms, median ${p50.toFixed(0)} ms; target <= 100 ms`,
      ),
    );
    first.close();
    second.close();
  } finally {
    await backend.stop();
    await sshd.stop();
  }
});
finish(lines);
process.exit(); // With the code that `finish` set: open sockets of the measuring side would keep it alive.
