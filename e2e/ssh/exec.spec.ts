import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { heldBytes } from '../../testing/held-memory';
import { processesNaming } from '../../testing/processes';
import { rejection, run, sshdAndPool, targetOf } from './targets';
import { pause, until } from '../../testing/patience';

const peers = sshdAndPool();

it('returns output, both streams separately, exit code and duration', async () => {
  const result = await run(
    peers.pool,
    await targetOf(peers.sshd),
    'echo one; echo two >&2; sleep 0.1; exit 3',
  );
  expect(result).toMatchObject({
    out: 'one\n',
    err: 'two\n',
    exitCode: 3,
    timedOut: false,
    aborted: false,
    mayStillRun: false,
  });
  expect(result.durationMs).toBeGreaterThanOrEqual(95);
  expect(result.signal).toBeUndefined();
});

it('passes arguments to the script unchanged', async () => {
  const args = ["it's", '$(id)', '`id`', '-n', '', '*', 'a\nb', '💡', '"\\', '%d'];
  const { out } = await run(peers.pool, await targetOf(peers.sshd), `printf '%s|' "$@"`, { args });
  expect(out).toBe(`${args.join('|')}|`);
});

it('hides script and arguments from the process list', async () => {
  const secret = `canary-${randomUUID()}`;
  const { out } = await run(
    peers.pool,
    await targetOf(peers.sshd),
    `cat /proc/[0-9]*/cmdline | tr '\\0' ' ' # ${secret}`,
    { args: [secret] },
  );
  expect(out).toContain('sshd');
  expect(out).not.toContain(secret);
});

it('keeps a program that reads its standard input from consuming the rest of the script', async () => {
  const { out } = await run(peers.pool, await targetOf(peers.sshd), 'cat; head -c 5; echo still here');
  expect(out).toBe('still here\n');
});

it('returns the signal that ended a script', async () => {
  const result = await run(peers.pool, await targetOf(peers.sshd), 'kill -SEGV $$');
  expect(result.signal).toBe('SIGSEGV');
  expect(result.exitCode).toBeUndefined();
});

it('streams output while the script runs', async () => {
  // It ends only once its first line has arrived.
  const file = `${peers.sshd.folder}/heard`;
  const script = 'echo one; until [ -e "$1" ]; do sleep 0.05; done; echo two';
  let heard = '';
  const onOutput = (_stream: string, text: string): void => {
    heard += text;
    writeFileSync(file, '');
  };
  await run(peers.pool, await targetOf(peers.sshd), script, { args: [file], onOutput });
  expect(heard).toBe('one\ntwo\n');
});

it('keeps split characters whole', async () => {
  const script = `printf '\\360\\237'; sleep 0.1; printf '\\222\\241'; i=0; while [ $i -lt 20000 ]; do echo 'ünïcödé 💡'; i=$((i+1)); done`;
  const { out } = await run(peers.pool, await targetOf(peers.sshd), script);
  expect(out).toBe(`💡${'ünïcödé 💡\n'.repeat(20_000)}`);
});

it('keeps the order of both streams', async () => {
  const order: string[] = [];
  const onOutput = (stream: string, text: string): void => void order.push(`${stream} ${text.trim()}`);
  await run(
    peers.pool,
    await targetOf(peers.sshd),
    'for i in 1 2 3; do echo $i; sleep 0.05; echo $i >&2; sleep 0.05; done',
    { onOutput },
  );
  expect(order).toEqual(['out 1', 'err 1', 'out 2', 'err 2', 'out 3', 'err 3']);
});

it('holds the remote program back while the consumer is slow, and loses nothing', async () => {
  const target = await targetOf(peers.sshd);
  const mark = `${peers.sshd.folder}/written`;
  const size = 24 * 1024 * 1024;
  let length = 0;
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const before = heldBytes();
  const work = run(
    peers.pool,
    target,
    `head -c ${size} /dev/zero | tr '\\0' x; echo done > "$1"; stat -c %s /dev/null`,
    {
      args: [mark],
      onOutput: async (_stream, text) => {
        await gate;
        length += text.length;
      },
    },
  );
  await pause(600);
  const finished = await run(peers.pool, target, 'test -e "$1"', { args: [mark] });
  expect(finished.exitCode).toBe(1);
  expect(heldBytes() - before).toBeLessThan(60 * 1024 * 1024);
  open();
  const { exitCode } = await work;
  expect(exitCode).toBe(0);
  expect(length).toBe(size + 2);
});

it('does not wait for a daemon that keeps the output open', async () => {
  const result = await run(peers.pool, await targetOf(peers.sshd), 'sleep 600 & echo started');
  expect(result).toMatchObject({ out: 'started\n', exitCode: 0 });
  expect(result.durationMs).toBeLessThan(300_000);
});

describe('a script that has to be ended', () => {
  /** In which a busy machine also starts what has to be ended. */
  const A_MOMENT_MS = 5000;
  const mark = `${Math.floor(1e6 + Math.random() * 1e6)}`;
  const family = `(sleep ${mark} & sleep ${mark} | cat) & sleep ${mark}`;

  it('is gone after its time-out, with everything that it started', async () => {
    const work = run(peers.pool, await targetOf(peers.sshd), `echo going; ${family}`, {
      timeoutMs: A_MOMENT_MS,
    });
    await until(() => processesNaming(`sleep ${mark}`).length === 3);
    const result = await work;
    expect(result).toMatchObject({
      timedOut: true,
      aborted: false,
      mayStillRun: false,
      out: 'going\n',
      signal: 'SIGTERM',
    });
    expect(processesNaming(`sleep ${mark}`)).toEqual([]);
    expect(result.durationMs).toBeLessThan(300_000);
  });

  it('is gone even if it ignores SIGTERM', async () => {
    const script = `trap '' TERM; sleep ${mark}; sleep ${mark}`;
    const result = await run(peers.pool, await targetOf(peers.sshd), script, { timeoutMs: A_MOMENT_MS });
    expect(result).toMatchObject({ timedOut: true, mayStillRun: false, signal: 'SIGKILL' });
    expect(processesNaming(`sleep ${mark}`)).toEqual([]);
  });

  it('is gone after an abort', async () => {
    const stop = new AbortController();
    const work = run(peers.pool, await targetOf(peers.sshd), family, { signal: stop.signal });
    await until(() => processesNaming(`sleep ${mark}`).length === 3);
    stop.abort(new Error('changed my mind'));
    await expect(work).resolves.toMatchObject({ timedOut: false, aborted: true, mayStillRun: false });
    expect(processesNaming(`sleep ${mark}`)).toEqual([]);
  });

  it('is gone if its output cannot be stored', async () => {
    const onOutput = async (): Promise<void> => {
      throw new Error('no room for output');
    };
    const work = run(peers.pool, await targetOf(peers.sshd), `echo text; ${family}`, { onOutput });
    await expect(work).rejects.toThrow('no room for output');
    expect(processesNaming(`sleep ${mark}`)).toEqual([]);
  });

  it('is gone when the pool is closed', async () => {
    const work = run(peers.pool, await targetOf(peers.sshd), family);
    await until(() => processesNaming(`sleep ${mark}`).length === 3);
    await peers.pool.close();
    await expect(work).resolves.toMatchObject({ aborted: true, mayStillRun: false });
    expect(processesNaming(`sleep ${mark}`)).toEqual([]);
  });

  it('is not started if it was aborted before', async () => {
    const stop = new AbortController();
    stop.abort(new Error('never mind'));
    const file = `${peers.sshd.folder}/never`;
    const error = await rejection(
      run(peers.pool, await targetOf(peers.sshd), 'touch "$1"', { args: [file], signal: stop.signal }),
    );
    expect(error).toMatchObject({ message: 'never mind' });
    expect(
      (await run(peers.pool, await targetOf(peers.sshd), 'test -e "$1"', { args: [file] })).exitCode,
    ).toBe(1);
  });
});
