/** The requirements of throw-away servers, and which of them this machine lacks. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Debian packages by the program that they provide. */
const programs: Record<string, string> = {
  '/lib/systemd/systemd': 'systemd-sysv',
  '/usr/sbin/sshd': 'openssh-server',
  '/usr/bin/unshare': 'util-linux',
  '/usr/bin/nsenter': 'util-linux',
  '/usr/sbin/pivot_root': 'util-linux',
  '/usr/bin/socat': 'socat',
  '/usr/bin/ip': 'iproute2',
};

const tried = (): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'throwaway-try-'));
  const script = [
    'set -e',
    'mount --make-rprivate /',
    'mount -t tmpfs tmpfs "$1"',
    'cd "$1" && mkdir upper work root',
    'mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" root',
  ].join('\n');
  const namespaces = ['--net', '--mount', '--uts', '--ipc', '--cgroup', '--pid', '--fork', '--kill-child'];
  try {
    execFileSync('unshare', [...namespaces, 'sh', '-c', script, 'sh', folder], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? error).trim();
    return `an overlay of / in namespaces of its own is refused here: ${said}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** What this machine lacks, in words; empty if nothing. */
export const throwawayHostLacks = (): string[] => {
  if (process.platform !== 'linux') return ['throw-away servers need Linux'];
  if (userInfo().uid !== 0) return ['throw-away servers need root'];
  const lacking = Object.entries(programs)
    .filter(([program]) => !existsSync(program))
    .map(([program, name]) => `there is no ${program}: apt-get install ${name}`);
  if (!readFileSync('/proc/mounts', 'utf8').includes(' /sys/fs/cgroup'))
    lacking.push('no control groups are mounted below /sys/fs/cgroup');
  const refused = lacking.length === 0 ? tried() : undefined;
  return refused === undefined ? lacking : [...lacking, refused];
};
