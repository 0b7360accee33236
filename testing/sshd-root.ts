import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SshdUser {
  name: string;
  uid: number;
  /** Path on the server. */
  shell?: string;
}

interface RootOptions {
  absent?: string[];
  mounts?: Record<string, string>;
  users?: SshdUser[];
  profile?: string;
  boot?: string;
}

/** Command prefix that makes a daemon die with the process that started it. */
export const untilWeDie = ['setpriv', '--pdeathsig', 'KILL'];

let unshares: boolean | undefined;

/** Whether a process can get its own mount and process namespaces; containers often forbid it. */
export const canUnshare = (): boolean => {
  if (unshares === undefined) {
    try {
      execFileSync('unshare', ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'true'], {
        stdio: 'ignore',
      });
      unshares = true;
    } catch {
      unshares = false;
    }
  }
  return unshares;
};

const word = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/**
 * The command line that runs a daemon in its own namespaces: /root is empty except for `profile`, /run/sshd exists, and
 * the files named in the options are absent or replaced.
 */
export const prepareRoot = (folder: string, options: RootOptions, daemon: string[]): string[] => {
  const home = join(folder, 'root');
  mkdirSync(home, { mode: 0o700 });
  for (const file of ['.profile', '.bashrc']) {
    if (options.profile !== undefined) writeFileSync(join(home, file), options.profile);
  }
  const mounts: Record<string, string> = { '/root': home, ...options.mounts };
  if (options.users) {
    const lines = options.users.map(({ name, uid, shell }) => {
      mkdirSync(join(folder, 'home', name), { recursive: true });
      chownSync(join(folder, 'home', name), uid, 65534);
      return `${name}:*:${uid}:65534::${join(folder, 'home', name)}:${shell ?? '/bin/sh'}`;
    });
    const passwd = join(folder, 'passwd');
    writeFileSync(passwd, `${readFileSync('/etc/passwd', 'utf8').trimEnd()}\n${lines.join('\n')}\n`);
    mounts['/etc/passwd'] = passwd;
  }
  const script = [
    'set -e',
    'mount --make-rprivate /',
    'mount -t tmpfs -o mode=755 tmpfs /run',
    'mkdir /run/sshd /run/lock',
    ...Object.entries(mounts).map(([there, here]) => `mount --bind ${word(here)} ${word(there)}`),
    ...(options.absent ?? []).map(
      (path) => `if [ -e ${word(path)} ]; then mount --bind /dev/null ${word(path)}; fi`,
    ),
    options.boot ?? '',
    'set +e',
    'while :; do',
    `${daemon.map(word).join(' ')} &`,
    'wait $!',
    'code=$?',
    '[ $code -gt 128 ] || exit $code',
    // Commands of a killed daemon continue, as on any server. They would end with this process, so it waits.
    `until [ -e ${word(join(folder, 'again'))} ]; do sleep 0.05; done`,
    `rm ${word(join(folder, 'again'))}`,
    'done',
  ].join('\n');
  const file = join(folder, 'enter-root.sh');
  writeFileSync(file, `${script}\n`);
  const namespaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  return [...namespaces, 'sh', file];
};
