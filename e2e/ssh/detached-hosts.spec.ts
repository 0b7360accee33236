/** Detached work on all kinds of servers: other shells, fewer tools, other accounts, a full home. covers: SRV-14 */
import { existsSync } from 'node:fs';
import type { SshPool, SshTarget } from '../../apps/backend/src/platform/ssh';
import { packagesLack } from '../../testing/debian-packages';
import { processesNaming } from '../../testing/processes';
import { startSshd, type Sshd, type SshdOptions } from '../../testing/sshd';
import { needs } from '../../testing/throwaway-needs';
import { detachedOver, follow, newName } from './detached-servers';
import { busyboxHost, type HostParts, sudoHost } from './detached-host-parts';
import { poolThatSees, rejection, run, targetOf } from './targets';
import { until } from '../../testing/patience';

let sshd: Sshd | undefined;
let pool: SshPool;
let parts: HostParts | undefined;
beforeEach(() => {
  ({ pool } = poolThatSees());
});
afterEach(async () => {
  await pool.close();
  await sshd?.stop();
  parts?.remove();
  sshd = undefined;
  parts = undefined;
});

const host = async (options: SshdOptions, username = 'root'): Promise<SshTarget> => {
  sshd = await startSshd({ boot: ':', ...options });
  return targetOf(sshd, 'ed25519', { id: username, username });
};

/** Checks output, arguments, reports and exit code; following from a byte; ending; cleaning up. */
const provesItself = async (target: SshTarget, privileged = false): Promise<void> => {
  const detached = detachedOver(pool);
  const name = newName();
  const args = ["it's", '$HOME', 'ŁÁ💡', '', 'two\nlines'];
  const script = `report shell 'a shell'; changed one; printf '%s|' "$@"; echo; for i in 1 2 3; do echo "line $i" >&2; sleep 0.1; done; exit 9`;
  const expected = `${args.join('|')}|\nline 1\nline 2\nline 3\n`;
  const work = { name, script, args, privileged };
  const { end, text } = await follow(detached, target, work);
  expect(text).toBe(expected);
  expect(end).toEqual({ is: 'exited', exitCode: 9, report: { shell: 'a shell', changed: 'one' } });
  const from = 7;
  const again = await follow(detached, target, work, { from });
  expect(again.bytes.toString()).toBe(Buffer.from(expected).subarray(from).toString());
  expect(await detached.clean(target, work)).toBe(true);

  // Large enough to pass through every buffer.
  const large = await follow(detached, target, { script: 'seq 1 200000; sleep 0.2; seq 1 9', privileged });
  const numbers = (to: number): string => Array.from({ length: to }, (_, index) => `${index + 1}\n`).join('');
  expect(large.text === numbers(200_000) + numbers(9)).toBe(true);

  const mark = `${Math.floor(1e6 + Math.random() * 1e6)}`;
  const cancel = new AbortController();
  const long = follow(
    detached,
    target,
    { script: `echo going; (sleep ${mark} &) ; sleep ${mark} & sleep ${mark}`, privileged },
    { cancel: cancel.signal },
  );
  await until(() => processesNaming(`sleep ${mark}`).length === 3);
  cancel.abort();
  expect(await long).toMatchObject({ text: 'going\n', end: { is: 'cancelled', mayStillRun: false } });
  expect(processesNaming(`sleep ${mark}`)).toEqual([]);
};

it('works with bash in place of sh', async () => {
  await provesItself(await host({ mounts: { '/bin/sh': '/bin/bash' } }));
});

const lacking = packagesLack(['busybox-static', 'sudo']);
needs('busybox and sudo of Debian are there to make servers with', lacking);

if (lacking.length === 0) {
  it('works with busybox and nothing else, as on Alpine', async () => {
    parts = busyboxHost();
    await provesItself(await host(parts.options));
  });
}

it('works on a file system without pipes', async () => {
  await provesItself(await host({ absent: ['/usr/bin/mkfifo'] }));
});

it('works without setsid', async () => {
  await provesItself(await host({ absent: ['/usr/bin/setsid'] }));
});

it("works for an account other than root, with a space in its home's name", async () => {
  const boot = [
    "grep '^deploy:' /etc/passwd",
    "mkdir '/run/its home'",
    "chown 20001 '/run/its home'",
    "sed 's#:[^:]*/home/deploy:#:/run/its home:#' /etc/passwd >/run/passwd",
    'cat /run/passwd >/etc/passwd',
  ].join('\n');
  const target = await host({ users: [{ name: 'deploy', uid: 20_001 }], boot }, 'deploy');
  await provesItself(target);
  const { text } = await follow(detachedOver(pool), target, { script: 'pwd; ls -A' });
  expect(text).toBe('/run/its home\n.quarterdeck\n');
});

it('works for an account whose home is not writable', async () => {
  const target = await host(
    {
      users: [{ name: 'deploy', uid: 20_001 }],
      boot: 'chmod 555 ~deploy; mount -t tmpfs -o mode=1777 tmpfs /var/tmp',
    },
    'deploy',
  );
  await provesItself(target);
  const detached = detachedOver(pool);
  const { text } = await follow(detached, target, { script: 'ls -A "$HOME"; ls -A /var/tmp' });
  expect(text).toBe('.quarterdeck-20001\n');
  expect(existsSync('/var/tmp/.quarterdeck-20001')).toBe(false);
});

it('does not start for an account whose folder was prepared by an attacker', async () => {
  const target = await host(
    {
      users: [{ name: 'deploy', uid: 20_001 }],
      boot: 'chmod 555 ~deploy; mount -t tmpfs -o mode=1777 tmpfs /var/tmp; mkdir -m 777 /var/tmp/.quarterdeck-20001',
    },
    'deploy',
  );
  const { end } = await follow(detachedOver(pool), target, { script: 'echo no' });
  expect(end).toMatchObject({ is: 'lost', why: 'neverStarted' });
});

describe('as root through sudo', () => {
  if (lacking.length === 0) {
    it('runs, and is followed and ended like any other', async () => {
      parts = sudoHost('deploy ALL=(ALL) NOPASSWD: ALL');
      const target = await host({ ...parts.options, users: [{ name: 'deploy', uid: 20_001 }] }, 'deploy');
      await provesItself(target, true);
      const detached = detachedOver(pool);
      const secret = `canary-${newName()}`;
      const script = `id -un; echo "$1" >/dev/null; ls -d "$HOME"/.quarterdeck; all=$(cat /proc/[0-9]*/cmdline | tr '\\0' ' '); case $all in *"$1"*) echo seen ;; *) echo unseen ;; esac`;
      const { text } = await follow(detached, target, { script, args: [secret], privileged: true });
      expect(text).toBe('root\n/root/.quarterdeck\nunseen\n');
      const plain = await follow(detached, target, { script: 'id -un' });
      expect(plain.text).toBe('deploy\n');
    });

    const nameless = { hosts: '127.0.0.1 localhost\n', 'nsswitch.conf': 'hosts: files\n' };

    it('tells sudo’s words about the name of the host from those of the script', async () => {
      parts = sudoHost('deploy ALL=(ALL) NOPASSWD: ALL', nameless);
      const target = await host({ ...parts.options, users: [{ name: 'deploy', uid: 20_001 }] }, 'deploy');
      const { err: noise } = await run(pool, target, 'sudo -n true');
      expect(noise).toMatch(/^sudo: unable to resolve host /);
      const { out, err } = await run(pool, target, 'id -un; echo oh >&2', { privileged: true });
      expect([out, err]).toEqual(['root\n', 'oh\n']);
    });

    it('refuses without sudo’s words about the name of the host', async () => {
      parts = sudoHost('deploy ALL=(ALL) ALL', nameless);
      const target = await host({ ...parts.options, users: [{ name: 'deploy', uid: 20_001 }] }, 'deploy');
      const error = await rejection(run(pool, target, 'id -un', { privileged: true }));
      expect(error).toMatchObject({
        msg: expect.stringMatching(/as root: it said "sudo: a password is required"/),
      });
    });

    it('reports that sudo asks for a password', async () => {
      parts = sudoHost('deploy ALL=(ALL) ALL');
      const target = await host({ ...parts.options, users: [{ name: 'deploy', uid: 20_001 }] }, 'deploy');
      const work = { script: 'id -un', privileged: true };
      expect(await rejection(follow(detachedOver(pool), target, work))).toMatchObject({
        code: 'channelRefused',
        msg: expect.stringMatching(
          /^deploy on 127\.0\.0\.1 may not run commands as root: .*password is required/,
        ),
      });
    });
  }

  it('reports that sudo is missing', async () => {
    const bare = await host(
      { users: [{ name: 'deploy', uid: 20_001 }], absent: ['/usr/bin/sudo'] },
      'deploy',
    );
    const work = { script: 'id -un', privileged: true };
    expect(await rejection(follow(detachedOver(pool), bare, work))).toMatchObject({
      code: 'channelRefused',
      // Where this machine has sudo, the host has an empty file in its place.
      msg: expect.stringMatching(/may not run commands as root: .*sudo: (not found|Permission denied)/),
    });
  });

  it('needs no sudo as root', async () => {
    const target = await host({ absent: ['/usr/bin/sudo'] });
    const { text } = await follow(detachedOver(pool), target, { script: 'id -un', privileged: true });
    expect(text).toBe('root\n');
  });
});
