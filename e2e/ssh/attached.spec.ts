/**
 * Work that only reads runs over the connection: its output in order, its report, its exit code, and an end that is
 * either observed or reported as lost.
 */
import { runAttached, SshFailure, type RemoteEnd, type SshTarget } from '../../apps/backend/src/platform/ssh';
import { processesNaming } from '../../testing/processes';
import { serverBehindProxy } from './detached-servers';
import { rejection, run } from './targets';
import { until } from '../../testing/patience';

/** A profile that prints a line like a report to stderr. */
const profile = 'echo "agent pid 7" >&2\n';
const server = serverBehindProxy({ boot: ':', profile, users: [{ name: 'deploy', uid: 20_001 }] });
const never = (): AbortSignal => new AbortController().signal;

interface WorkOptions {
  script: string;
  args?: string[];
  privileged?: boolean;
  cancel?: AbortSignal;
  leave?: AbortSignal;
  patienceMs?: number;
  resumed?: boolean;
  onOutput?(): void;
  target?: Partial<SshTarget>;
}

const read = async ({ script, args = [], privileged = false, ...more }: WorkOptions) => {
  const pieces: Buffer[] = [];
  const target = { ...(await server.throughProxy()), ...more.target };
  const end: RemoteEnd = await runAttached(
    server.pool,
    async () => target,
    { script, args, privileged },
    {
      cancel: more.cancel ?? never(),
      leave: more.leave ?? never(),
      resumed: more.resumed ?? false,
      deadline: Date.now() + (more.patienceMs ?? 300_000),
      onOutput: (bytes) => {
        pieces.push(Buffer.from(bytes));
        more.onOutput?.();
      },
    },
  );
  return { end, text: Buffer.concat(pieces).toString() };
};

it('both streams arrive in the order in which they were written, with arguments and report', async () => {
  const script = `for n in 1 2 3 4 5; do echo "out $n"; echo "err $n" >&2; done
report found "$1 and
$2"; changed 'nothing'; changed 'really'
exit 7 # the rest is a comment }`;
  const { end, text } = await read({ script, args: ["it's", '$HOME'] });
  expect(text).toBe([1, 2, 3, 4, 5].map((n) => `out ${n}\nerr ${n}\n`).join(''));
  expect(end).toEqual({
    is: 'exited',
    exitCode: 7,
    report: { found: "it's and $HOME", changed: 'nothing\nreally' },
  });
});

it.each([
  ['a script that ends before its closing brace', '{ echo never', 2],
  ['one with a brace too many', '} ; echo never', 2],
  ['one that a signal ends', 'kill -9 $$', 137],
  ['one without a command', '# nothing', 0],
  ['one that reads its input', 'cat; read -r line', 1],
])('%s has an exit code and runs nothing else', async (_name, script, exitCode) => {
  const { end, text } = await read({ script });
  expect(end).toMatchObject({ is: 'exited', exitCode });
  expect(text).not.toMatch(/^never/m);
});

it('runs as root if the work is privileged', async () => {
  const { end, text } = await read({ script: 'id -u', privileged: true });
  expect([end, text]).toEqual([{ is: 'exited', exitCode: 0, report: {} }, '0\n']);
});

it.each(['cancel', 'leave'] as const)('a %s ends the work on the server', async (why) => {
  const stop = new AbortController();
  const { end } = await read({
    script: 'echo begun; sleep 31.417 & sleep 31.417',
    [why]: stop.signal,
    onOutput: () => stop.abort(),
  });
  expect(end).toEqual(
    why === 'leave' ? { is: 'left', report: {} } : { is: 'cancelled', mayStillRun: false, report: {} },
  );
  await until(() => processesNaming('sleep 31.417').length === 0);
});

it('the time-out ends the work', async () => {
  const { end } = await read({ script: 'sleep 31.418', patienceMs: 500 });
  expect(end).toEqual({ is: 'timedOut', mayStillRun: false, report: {} });
  expect(processesNaming('sleep 31.418')).toEqual([]);
});

it('a cut connection is reported as a lost end, and the next attempt begins anew', async () => {
  const { end } = await read({
    script: 'echo begun; sleep 5; echo never',
    onOutput: () => server.proxy.cut(),
  });
  expect(end).toMatchObject({ is: 'lost', why: 'connectionLost' });
  expect((await read({ script: 'echo again' })).text).toBe('again\n');
});

it('an unreachable server is a failure: at once or, after a lost end, at the deadline', async () => {
  await server.proxy.stop();
  const began = performance.now();
  expect(await rejection(read({ script: 'echo never' }))).toBeInstanceOf(SshFailure);
  expect(await rejection(read({ script: 'echo never', resumed: true, patienceMs: 1500 }))).toMatchObject({
    code: 'refused',
  });
  expect(performance.now() - began).toBeGreaterThan(500);
});

it('an orphan that writes forever does not delay the end', async () => {
  const { end } = await read({ script: '(while :; do echo more; sleep 0.2; done) & echo done' });
  expect(end).toMatchObject({ is: 'exited', exitCode: 0 });
});

it('leaves nothing on the server, and takes two processes', async () => {
  const target = await server.throughProxy();
  const newest = async () => Number((await run(server.pool, target, 'echo $$')).out);
  await read({ script: 'true' });
  const before = await newest();
  await read({ script: 'sleep 0; exit' });
  expect((await newest()) - before - 1).toBe(2);
  expect((await run(server.pool, target, 'ls -A "$HOME/.quarterdeck" 2>/dev/null')).out).toBe('');
});
