/** The connection is lost while a command runs: that is noticed soon, and the outcome is reported as unknown. */
import type { SshPool } from '../../apps/backend/src/platform/ssh';
import { until } from '../../testing/patience';
import { processesNaming } from '../../testing/processes';
import { startSshd, type Sshd } from '../../testing/sshd';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy';
import { poolThatSees, rejection, run, targetOf } from './targets';

/** Interval of keepalives, three of which without an answer end the connection. The console's default is 15 s. */
const keepaliveMs = 1000;

let sshd: Sshd;
let proxy: TcpProxy;
let pool: SshPool;
beforeEach(async () => {
  sshd = await startSshd();
  proxy = await startTcpProxy(sshd);
  ({ pool } = poolThatSees({ keepaliveMs }));
});
afterEach(async () => {
  await pool.close();
  await proxy.stop();
  await sshd.stop();
});

const throughProxy = () => targetOf(sshd, 'ed25519', { host: proxy.host, port: proxy.port });

/** Breaks something during a command. Returns how the command failed, and how soon. */
const failureAfter = async (
  fault: () => void,
  seconds = '200.125',
): Promise<{ error: unknown; ms: number }> => {
  let from = 0;
  const error = await rejection(
    run(pool, await throughProxy(), `echo begun; sleep ${seconds}; echo never`, {
      onOutput: () => {
        from = performance.now();
        fault();
      },
    }),
  );
  return { error, ms: performance.now() - from };
};

it('a cut is noticed long before the command would have ended', async () => {
  const { error, ms } = await failureAfter(() => proxy.cut());
  expect(error).toMatchObject({
    code: 'connectionLost',
    msg: expect.stringContaining('whether it came to its end is not known'),
  });
  expect(ms).toBeLessThan(150_000);
});

it('a killed server is noticed, and its started work continues', async () => {
  const { error, ms } = await failureAfter(() => sshd.kill('SIGKILL'), '200.126');
  expect(error).toMatchObject({ code: 'connectionLost' });
  expect(ms).toBeLessThan(150_000);
  // The shell may not have come further than `echo` when the connection was lost.
  await until(() => processesNaming('sleep 200.126').length === 1);
});

it.each([
  ['a wire that swallows everything', () => proxy.blackhole()],
  ['a frozen server', () => sshd.freeze()],
])('%s is noticed after three keepalives without an answer', async (_name, fault) => {
  const { error, ms } = await failureAfter(fault);
  expect(error).toMatchObject({ code: 'frozen', msg: expect.stringContaining('stopped answering') });
  expect(ms).toBeLessThan(150_000);
});

it('a time-out on a dead host says that the command may still run', async () => {
  const onOutput = (): void => proxy.blackhole();
  const { pool: patient } = poolThatSees({ keepaliveMs: 60_000 });
  const work = run(patient, await throughProxy(), 'echo begun; sleep 2000', { timeoutMs: 5000, onOutput });
  await expect(work).resolves.toMatchObject({ timedOut: true, mayStillRun: true });
  await patient.close();
});

it('a slow connection is not treated as lost', async () => {
  proxy.pass(60);
  await expect(run(pool, await throughProxy(), 'echo far away')).resolves.toMatchObject({
    out: 'far away\n',
    exitCode: 0,
  });
});
