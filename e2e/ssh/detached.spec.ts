/** Detached work on a server: started, run, followed to the byte, its end reported, removed. */
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DetachedWork, SshPool, SshTarget } from '../../apps/backend/src/platform/ssh';
import { heldBytes } from '../../testing/held-memory';
import { startSshd, type Sshd } from '../../testing/sshd';
import { baseOf, detachedOver, follow, newName, sha256 } from './detached-servers';
import { poolThatSees, rejection, run, targetOf } from './targets';
import { until } from '../../testing/patience';

let sshd: Sshd;
let pool: SshPool;
let detached: DetachedWork;
let target: SshTarget;
beforeAll(async () => {
  sshd = await startSshd({ boot: ':' });
  target = await targetOf(sshd);
  ({ pool } = poolThatSees());
  detached = detachedOver(pool);
});
afterAll(async () => {
  await pool.close();
  await sshd.stop();
});

it('returns both streams in order, the exit code and the report', async () => {
  const script = `echo one; echo two >&2; report os 'Debian 12'; changed 'made a file'; echo three; changed "two
lines"; exit 3`;
  const { end, text } = await follow(detached, target, { script });
  expect(text).toBe('one\ntwo\nthree\n');
  expect(end).toEqual({
    is: 'exited',
    exitCode: 3,
    report: { os: 'Debian 12', changed: 'made a file\ntwo lines' },
  });
});

it.each([0, 1, 2, 127, 143, 255])('returns exit code %d', async (exitCode) => {
  const { end } = await follow(detached, target, { script: 'exit "$1"', args: [String(exitCode)] });
  expect(end).toEqual({ is: 'exited', exitCode, report: {} });
});

it('reports the end of a script that cannot be parsed or kills itself', async () => {
  const broken = await follow(detached, target, { script: 'echo begun\nif true; then' });
  expect(broken.end).toMatchObject({ is: 'exited', exitCode: 2 });
  expect(broken.text).toMatch(/syntax error/i);
  const killed = await follow(detached, target, { script: 'echo begun; kill -KILL $$' });
  expect([killed.text, killed.end]).toEqual(['begun\n', { is: 'exited', exitCode: 137, report: {} }]);
});

it('passes arguments to the script unchanged', async () => {
  const args = [
    "it's",
    '$(id)',
    '`id`',
    '-n',
    '',
    '*',
    'a\nb',
    '💡ŁÁ',
    '"\\',
    '%d%s',
    '~',
    '!!',
    '\t',
    '{a,b}',
    '\u0081',
  ];
  const { text } = await follow(detached, target, { script: `echo $#; printf '%s|' "$@"`, args });
  expect(text).toBe(`${args.length}\n${args.join('|')}|`);
});

it('runs a script literally, whatever it contains', async () => {
  const script = `# ünï'cödé "quotes" \\ $(exit 9) \`exit 9\` Ł\ncat <<'END'\nit's $HOME \\n 100%\nEND\nprintf '%s' "$#"`;
  const { text } = await follow(detached, target, { script });
  expect(text).toBe("it's $HOME \\n 100%\n0");
});

it('refuses a name that is a path, and text that no shell can hold', async () => {
  const refused = [{ name: '../x' }, { name: '.done' }, { name: '' }, { script: 'a\0b' }, { args: ['a\0b'] }];
  for (const work of refused)
    expect(await rejection(follow(detached, target, work))).toBeInstanceOf(RangeError);
});

it('hides script and arguments from the process list and from other accounts', async () => {
  const name = newName();
  const secret = `canary-${name}`;
  const script = `cat /proc/[0-9]*/cmdline | tr '\\0' ' ' # ${secret}`;
  const { text } = await follow(detached, target, { name, script, args: [secret] });
  expect(text).toContain('sshd');
  expect(text).not.toContain(secret);
  const folder = join(baseOf(sshd), name);
  for (const path of [folder, baseOf(sshd)]) expect(statSync(path).mode & 0o777).toBe(0o700);
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
});

it('leaves the script its own home and umask, and an empty standard input', async () => {
  const script =
    'pwd; umask; cat; read -r line || echo nothing; ls -l /proc/$$/fd 2>/dev/null | grep -c alive';
  const { text } = await follow(detached, target, { script });
  const plain = await run(pool, target, 'pwd; umask');
  expect(text).toBe(`${plain.out}nothing\n0\n`);
});

it('gets the end of a short script with one command over the connection', async () => {
  const commands = await run(pool, target, 'cat "$1"', { args: [sshd.log] });
  await follow(detached, target, { script: 'echo quick' });
  const after = await run(pool, target, 'cat "$1"', { args: [sshd.log] });
  const count = (log: string): number => log.split('Starting session: command').length;
  expect(count(after.out) - count(commands.out)).toBe(2);
});

it('delivers the same bytes, however characters are cut', async () => {
  const script = `i=0; while [ $i -lt 300 ]; do printf '\\360\\237'; printf '\\222\\241ü'; i=$((i+1)); done; printf '\\377\\000\\303'; sleep 0.1; printf '\\274'`;
  const { bytes } = await follow(detached, target, { script });
  expect(
    bytes.equals(Buffer.concat([Buffer.from('💡ü'.repeat(300)), Buffer.from([0xff, 0, 0xc3, 0xbc])])),
  ).toBe(true);
});

it('delivers output as it comes', async () => {
  // It ends only once its first line has arrived.
  const file = join(sshd.folder, 'heard');
  const script = 'echo one; until [ -e "$1" ]; do sleep 0.05; done; echo two';
  const { text } = await follow(
    detached,
    target,
    { script, args: [file] },
    { onOutput: () => writeFileSync(file, '') },
  );
  expect(text).toBe('one\ntwo\n');
});

it('does not wait for a daemon that keeps the output open, nor for its output', async () => {
  const script = '(while :; do echo more; sleep 0.01; done) & echo started';
  const begun = performance.now();
  const { end, text } = await follow(detached, target, { script });
  expect(end).toMatchObject({ is: 'exited', exitCode: 0 });
  expect(text).toContain('started\n');
  expect(performance.now() - begun).toBeLessThan(300_000);
});

it('ignores lines that are not reports, and limits those that are', async () => {
  const script = `report 'bad name' x; report 1st x; report; report empty ''; report twice 1; report twice 2
set -eu; report unset; i=0; while [ $i -lt 100 ]; do report "n$i" "$i"; i=$((i+1)); done
report big "$(head -c 20000 /dev/zero | tr '\\0' x)"; report late 1; echo "$-"`;
  const { end, text } = await follow(detached, target, { script });
  expect(text).toMatch(/^[a-z]*e[a-z]*\n$/);
  expect(end.report).toMatchObject({ empty: '', twice: '2', unset: '', n0: '0', n59: '59' });
  expect(Object.keys(end.report)).toHaveLength(64);
  expect(end.report).not.toHaveProperty('big');
});

it('follows 50 MB to the byte, in limited memory, without blocking anything', async () => {
  const size = 50 * 1024 * 1024;
  // 64 characters per line, all lines different.
  const script = `yes | head -n 819200 | awk '{ printf "%063d\\n", NR }'`;
  const expected = Buffer.alloc(size);
  for (let line = 1; line <= size / 64; line += 1)
    expected.write(`${String(line).padStart(63, '0')}\n`, (line - 1) * 64, 'latin1');
  const got = Buffer.alloc(size);
  let length = 0;
  let most = 0;
  let next = 0;
  const before = heldBytes();
  const end = await detached.run(
    target,
    { name: newName(), script, args: [], privileged: false },
    {
      from: 0,
      cancel: new AbortController().signal,
      leave: new AbortController().signal,
      deadline: Date.now() + 300_000,
      onOutput: async (bytes) => {
        length += bytes.copy(got, length);
        if (length >= next) {
          most = Math.max(most, heldBytes());
          next += size / 8;
        }
        if (length % (1 << 20) < 1000) await new Promise((resolve) => setImmediate(resolve));
      },
    },
  );
  expect(end).toEqual({ is: 'exited', exitCode: 0, report: {} });
  expect(length).toBe(size);
  expect(sha256(got)).toBe(sha256(expected));
  expect(most - before).toBeLessThan(150 * 1024 * 1024);
});

it('removes everything on request, also from earlier days, but not running work', async () => {
  const name = newName();
  const leave = new AbortController();
  const running = newName();
  await follow(detached, target, { name, script: 'echo done' });
  await follow(
    detached,
    target,
    { name: running, script: 'echo going; sleep 600.5' },
    { leave: leave.signal, onOutput: () => leave.abort() },
  );
  const folder = (of: string): string => join(baseOf(sshd), of);
  expect(await detached.clean(target, { name, privileged: false })).toBe(true);
  expect(existsSync(folder(name))).toBe(false);
  expect(await detached.clean(target, { name, privileged: false })).toBe(true);
  expect(await detached.clean(target, { name: running, privileged: false })).toBe(false);
  expect(existsSync(folder(running))).toBe(true);

  const old = newName();
  await follow(detached, target, { name: old, script: 'echo done' });
  const longAgo = Date.now() / 1000 - 9 * 24 * 3600;
  // A folder that is not ours.
  const strange = join(baseOf(sshd), 'strange');
  mkdirSync(strange);
  writeFileSync(join(strange, 'precious'), '');
  for (const path of [folder(old), folder(running), strange, join(baseOf(sshd), '.done', name)])
    utimesSync(path, longAgo, longAgo);
  await follow(detachedOver(pool, { sweepsOneIn: 1 }), target, {});
  await until(() => !existsSync(folder(old)));
  await until(() => !existsSync(join(baseOf(sshd), '.done', name)));
  expect(existsSync(folder(running))).toBe(true);
  expect(existsSync(join(strange, 'precious'))).toBe(true);
  const cancel = new AbortController();
  cancel.abort();
  const { end } = await follow(detached, target, { name: running }, { cancel: cancel.signal, from: 6 });
  expect(end).toEqual({ is: 'cancelled', mayStillRun: false, report: {} });
  expect(await detached.clean(target, { name: running, privileged: false })).toBe(true);
  expect(readdirSync(baseOf(sshd)).includes(running)).toBe(false);
});

it('returns false when cleaning an unreachable server', async () => {
  expect(
    await detached.clean({ ...target, id: 'gone', port: 1 }, { name: newName(), privileged: false }),
  ).toBe(false);
});
