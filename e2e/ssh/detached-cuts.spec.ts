/**
 * The connection, sshd or the server goes down during work: the work continues, and is followed again to the byte, or
 * its fate is reported. covers: SRV-14
 */
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { familyOf, processesNaming } from '../../testing/processes';
import { baseOf, detachedOver, follow, newName, serverBehindProxy } from './detached-servers';
import { poolThatSees } from './targets';
import { pause, until } from '../../testing/patience';

const server = serverBehindProxy({ boot: ':' });

/** Prints for a second, fast and slow, with multi-byte characters, and counts how often it is run. */
const chatty = `echo run >>"$1"
i=0; while [ $i -lt 20 ]; do
  echo "line $i ünïcödé 💡" >&2
  seq $((i * 100)) $((i * 100 + 99)) | tr '\\n' ' '
  sleep 0.05; i=$((i + 1))
done
exit 7`;
const undisturbed = Array.from({ length: 20 }, (_, i) => {
  const numbers = Array.from({ length: 100 }, (_none, n) => `${i * 100 + n} `).join('');
  return `line ${i} ünïcödé 💡\n${numbers}`;
}).join('');

/** `begun` settles once some output has arrived. */
const ear = () => {
  let heard = false;
  return { onOutput: () => void (heard = true), begun: () => until(() => heard) };
};

it('a connection that is cut at any moment loses and duplicates no byte', async () => {
  const connection: boolean[] = [];
  const ears = Array.from({ length: 5 }, ear);
  const file = join(server.sshd.folder, newName());
  // Five runs at once, on separate connections that are cut together.
  const all = Promise.all(
    ears.map(async ({ onOutput }, index) => {
      const target = { ...(await server.throughProxy()), id: `server-${index}` };
      return follow(
        server.detached,
        target,
        { script: chatty.replace('0.05', '0.2'), args: [file] },
        { resumed: true, onOutput, onConnection: (lost) => void connection.push(lost) },
      );
    }),
  );
  let over = false;
  void all.finally(() => (over = true));
  // All of them are affected by the first cut.
  await Promise.all(ears.map(({ begun }) => begun()));
  for (let cut = 0; cut < 10 && !over; cut += 1) {
    await pause(80 + Math.random() * 250);
    server.proxy.cut();
  }
  for (const { text, end } of await all) {
    expect(text).toBe(undisturbed);
    expect(end).toEqual({ is: 'exited', exitCode: 7, report: {} });
  }
  expect(readFileSync(file, 'utf8')).toBe('run\n'.repeat(5));
  expect(connection.filter((lost) => lost).length).toBeGreaterThanOrEqual(5);
  expect(connection.filter((lost) => lost).length).toBe(connection.filter((lost) => !lost).length);
});

it('an sshd that is killed and restarted is waited for', async () => {
  const file = join(server.sshd.folder, newName());
  const said: [boolean, string | undefined][] = [];
  const { onOutput, begun } = ear();
  const work = server.follow(
    { script: `${chatty.replace('exit 7', 'sleep 1; echo end')}`, args: [file] },
    { onOutput, onConnection: (lost, why) => void said.push([lost, why]) },
  );
  await begun();
  server.sshd.kill('SIGKILL');
  await until(() => said.length > 0);
  await server.sshd.startAgain();
  const { text, end } = await work;
  expect(text).toBe(`${undisturbed}end\n`);
  expect(end).toEqual({ is: 'exited', exitCode: 0, report: {} });
  expect(readFileSync(file, 'utf8')).toBe('run\n');
  expect(said[0]).toEqual([true, expect.stringContaining('lost')]);
  expect(said.at(-1)).toEqual([false, undefined]);
});

it('a server that freezes is followed again when it wakes up', async () => {
  const file = join(server.sshd.folder, newName());
  const { onOutput, begun } = ear();
  let losses = 0;
  const work = server.follow(
    { script: chatty, args: [file] },
    { onOutput, onConnection: (lost) => void (losses += lost ? 1 : 0) },
  );
  await begun();
  server.sshd.freeze();
  await until(() => losses > 0);
  server.sshd.thaw();
  expect(await work).toMatchObject({ text: undisturbed, end: { is: 'exited', exitCode: 7 } });
  expect(readFileSync(file, 'utf8')).toBe('run\n');
});

it('no process that followed the output stays on the server', async () => {
  const mark = `${Math.floor(1e6 + Math.random() * 1e6)}`;
  const leave = new AbortController();
  let losses = 0;
  const script = `echo going; sleep ${mark}`;
  const work = server.follow(
    { script },
    { leave: leave.signal, onConnection: (lost) => void (losses += lost ? 1 : 0) },
  );
  const spaceOf = (pid: number): string | undefined => {
    try {
      return readlinkSync(`/proc/${pid}/ns/pid`);
    } catch {
      return undefined;
    }
  };
  await until(() => processesNaming(`sleep ${mark}`).length === 1);
  const space = spaceOf(processesNaming(`sleep ${mark}`)[0]?.pid ?? 0);
  const followers = () =>
    ['tail -c', 'dd bs=', '/bin/sh -s']
      .flatMap((what) => processesNaming(what))
      .filter(({ pid }) => spaceOf(pid) === space);
  const whole = ['/bin/sh', '/bin/sh', 'dd bs=6', 'tail -c'];
  const areWhole = (those: ReturnType<typeof followers>): boolean =>
    those
      .map(({ commandLine }) => commandLine.slice(0, 7))
      .sort()
      .join() === whole.join();
  await until(() => areWhole(followers()));
  const first = followers().map(({ pid }) => pid);
  server.proxy.cut();
  await until(() => losses > 0);
  // New followers are at work, and no process of the first ones is left.
  await until(() => {
    const now = followers();
    return areWhole(now) && !now.some(({ pid }) => first.includes(pid));
  });
  leave.abort();
  expect((await work).end).toMatchObject({ is: 'left' });
  await until(() => followers().length === 0);
  expect(processesNaming(`sleep ${mark}`)).toHaveLength(1);
});

it('the next follower continues from a byte, as another console would', async () => {
  const file = join(server.sshd.folder, newName());
  const name = newName();
  const work = { name, script: chatty, args: [file] };
  let text = '';
  let bytes = 0;
  for (let console = 0; console < 4; console += 1) {
    const other = poolThatSees();
    const leave = new AbortController();
    let pieces = 0;
    const part = await follow(detachedOver(other.pool), await server.throughProxy(), work, {
      from: bytes,
      leave: leave.signal,
      onOutput: () => {
        pieces += 1;
        if (pieces === 4 && console < 3) leave.abort();
      },
    });
    text += part.bytes.toString('latin1');
    bytes += part.bytes.length;
    expect(part.end.is).toBe(console < 3 ? 'left' : 'exited');
    await other.pool.close();
  }
  expect(Buffer.from(text, 'latin1').toString()).toBe(undisturbed);
  expect(readFileSync(file, 'utf8')).toBe('run\n');
});

it('a console that shuts down leaves the work running', async () => {
  const name = newName();
  const other = poolThatSees();
  const script = 'echo going; sleep 1; echo gone on';
  const { onOutput, begun } = ear();
  const work = follow(detachedOver(other.pool), await server.throughProxy(), { name, script }, { onOutput });
  await begun();
  await other.pool.close();
  expect((await work).end.is).toBe('left');
  const rest = await server.follow({ name, script }, { from: 6 });
  expect(rest).toMatchObject({ text: 'gone on\n', end: { is: 'exited', exitCode: 0 } });
});

it('a failing consumer ends the following, not the work', async () => {
  const name = newName();
  const script = 'echo going; sleep 0.5; echo gone on';
  const onOutput = async (): Promise<void> => {
    throw new Error('no room for output');
  };
  await expect(server.follow({ name, script }, { onOutput })).rejects.toThrow('no room for output');
  const again = await server.follow({ name, script });
  expect(again).toMatchObject({ text: 'going\ngone on\n', end: { is: 'exited', exitCode: 0 } });
});

it('work that was killed on the server is reported as vanished, with its output and report so far', async () => {
  const mark = `${Math.floor(1e6 + Math.random() * 1e6)}`;
  const name = newName();
  const script = `echo going; report found it; sleep ${mark}`;
  const { end, text } = await server.follow(
    { name, script },
    {
      onOutput: async () => {
        await until(() => processesNaming(`sleep ${mark}`).length === 1);
        const leader = processesNaming(`${name}/work`)[0];
        for (const { pid } of familyOf(leader?.pid ?? -1)) process.kill(pid, 'SIGKILL');
      },
    },
  );
  expect(text).toBe('going\n');
  expect(end).toEqual({
    is: 'lost',
    why: 'vanished',
    reason: expect.stringContaining('left no exit code'),
    report: { found: 'it' },
  });
});

it('the script continues if only its leader was killed, and is waited for', async () => {
  const name = newName();
  const script = 'echo going; sleep 1; echo gone on';
  const { end, text } = await server.follow(
    { name, script },
    {
      onOutput: (bytes) => {
        if (!bytes.includes('going')) return;
        const [leader] = processesNaming(`${name}/work`);
        process.kill(leader?.pid ?? -1, 'SIGKILL');
      },
    },
  );
  expect(text).toBe('going\ngone on\n');
  expect(end).toMatchObject({ is: 'lost', why: 'vanished' });
});

it('a reboot of the server is distinguished from killed work', async () => {
  const name = newName();
  const script = 'echo going; report found it; sleep 0.2; kill -KILL -$PPID; sleep 9';
  const { end, text } = await server.follow(
    { name, script },
    {
      // The kernel's boot id cannot be changed, so the recorded one is.
      onOutput: () => writeFileSync(join(baseOf(server.sshd), name, 'boot'), 'another-boot\n'),
    },
  );
  expect(text).toBe('going\n');
  expect(end).toEqual({
    is: 'lost',
    why: 'rebooted',
    reason: expect.stringContaining('rebooted'),
    report: { found: 'it' },
  });
});

it('work that ended before a reboot is reported as ended', async () => {
  const name = newName();
  const work = { name, script: 'echo done; exit 4' };
  await server.follow(work);
  writeFileSync(join(baseOf(server.sshd), name, 'boot'), 'another-boot\n');
  expect(await server.follow(work)).toMatchObject({
    text: 'done\n',
    end: { is: 'exited', exitCode: 4 },
  });
});

it('an exit code that a crash cut short is not accepted', async () => {
  const name = newName();
  const work = { name, script: 'echo done; exit 4' };
  await server.follow(work);
  writeFileSync(join(baseOf(server.sshd), name, 'exit'), '');
  writeFileSync(join(baseOf(server.sshd), name, 'boot'), 'another-boot\n');
  expect(await server.follow(work)).toMatchObject({
    text: 'done\n',
    end: { is: 'lost', why: 'rebooted' },
  });
});
