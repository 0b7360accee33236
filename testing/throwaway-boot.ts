/** Boot of a throw-away server: a script on this machine, one in its namespaces that starts systemd, and its files. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** $1: the server's folder, $2: its name, $3: the folder of Debian packages that it can install from, or empty. */
export const enterScript = String.raw`set -e
while read -r group; do echo $$ > "$group/cgroup.procs"; done < "$1/groups"
exec unshare --net --mount --uts --ipc --cgroup --pid --fork --kill-child sh "$1/boot.sh" "$@"
`;

/** Units that must not run: they act on the machine (clock, kernel, devices) or would only cost time. */
const masked = [
  'systemd-udevd.service',
  'systemd-udev-trigger.service',
  'systemd-modules-load.service',

  'systemd-sysctl.service',
  'systemd-timesyncd.service',
  'systemd-binfmt.service',
  'systemd-pstore.service',

  'systemd-resolved.service',
  'systemd-networkd.service',
  'networking.service',
  'systemd-remount-fs.service',

  'getty.target',
  'console-getty.service',
  'systemd-hwdb-update.service',
  'systemd-journal-flush.service',
  'sys-kernel-config.mount',
  'sys-kernel-debug.mount',
  'sys-kernel-tracing.mount',
  'dev-mqueue.mount',
  'dev-hugepages.mount',
  'sys-fs-fuse-connections.mount',
  'proc-sys-fs-binfmt_misc.automount',
  'systemd-logind.service',
  'systemd-sysusers.service',
  'systemd-tmpfiles-setup-dev.service',
  'apt-daily.timer',
  'apt-daily-upgrade.timer',
  'ssh.socket',
];

/** Path on the server. The file exists once sshd listens. */
export const SSHD_PID = '/run/throwaway-sshd.pid';

const sshdConfig = [
  `PidFile ${SSHD_PID}`,
  'Port 22',
  'ListenAddress 127.0.0.1',
  'HostKey /etc/ssh/host_key',
  'AuthorizedKeysFile /etc/ssh/authorized_keys',
  'PermitRootLogin prohibit-password',
  'PasswordAuthentication no',
  'KbdInteractiveAuthentication no',
  'UsePAM no',
  'StrictModes no',
  'UseDNS no',
  'MaxStartups 1000:30:2000',
  'MaxSessions 64',
  'Subsystem sftp internal-sftp',
];

const sshUnit = [
  '[Service]',
  'RuntimeDirectory=sshd',
  'ExecStart=/usr/sbin/sshd -D -f /etc/ssh/sshd_config',
  'KillMode=process',
];

/** dpkg does not sync to disk, and skips documentation and translations. */
const dpkgConfig = [
  'force-unsafe-io',
  ...['doc', 'man', 'locale', 'info', 'lintian'].map((name) => `path-exclude=/usr/share/${name}/*`),
];

/** Writes files that replace the machine's. Done here, because a shell would start a process for each. */
export const writeOwnFiles = (
  root: string,
  { name, packages }: { name: string; packages: string | undefined },
): void => {
  const at = (path: string): string => {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    return whole;
  };
  const put = (path: string, lines: string[]): void =>
    writeFileSync(at(path), lines.map((line) => `${line}\n`).join(''));
  put('etc/hostname', [name]);
  put('etc/hosts', ['127.0.0.1 localhost', `127.0.1.1 ${name}`]);
  put('etc/machine-id', [randomUUID().replaceAll('-', '')]);
  put('etc/fstab', []);
  put('etc/ssh/sshd_config', sshdConfig);
  put('etc/systemd/system/ssh.service', sshUnit);
  symlinkSync('../ssh.service', at('etc/systemd/system/multi-user.target.wants/ssh.service'));
  for (const unit of masked) symlinkSync('/dev/null', at(`etc/systemd/system/${unit}`));
  put('etc/dpkg/dpkg.cfg.d/throwaway', dpkgConfig);
  // Packages come from a folder, or from a source that cannot be reached.
  const source =
    packages === undefined ? 'http://deb.debian.org/debian stable main' : 'file:/srv/packages ./';
  put('etc/apt/sources.list', [`deb [trusted=yes] ${source}`]);
  if (packages !== undefined) writeFileSync(at('srv/packages/Packages'), packages);
  for (const folder of ['etc/apt/sources.list.d', 'var/lib/apt/lists/partial', 'srv/packages/pool'])
    mkdirSync(join(root, folder), { recursive: true });
  const descriptors = { fd: 'fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2' };
  for (const [link, to] of Object.entries(descriptors)) symlinkSync(`/proc/self/${to}`, at(`dev/${link}`));
  symlinkSync('pts/ptmx', at('dev/ptmx'));
};

/** Takes the same arguments. The server sees the machine's files, and its writes go to memory. */
export const bootScript = String.raw`set -e
folder=$1
name=$2
packages=$3
# The number of the server's first process, as the machine sees it: /proc is still the machine's.
read -r init rest < /proc/self/stat
ip link set lo up
hostname "$name"
mount --make-rprivate /
mount -t tmpfs -o mode=755,size=4g tmpfs "$folder/layers"
root=$folder/layers/root
mkdir "$folder/layers/upper" "$folder/layers/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/layers/upper,workdir=$folder/layers/work" "$root"
cd "$root"

mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 sys/fs/cgroup
else
  mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
  while IFS=: read -r number controllers path; do
    case $controllers in
      '') continue ;;
      name=*) place=$(printf '%s' "$controllers" | sed 's,^name=,,') options=none,$controllers ;;
      *) place=$controllers options=$controllers ;;
    esac
    mkdir "sys/fs/cgroup/$place"
    mount -t cgroup -o "$options" cgroup "sys/fs/cgroup/$place"
  done < /proc/self/cgroup
fi
mount -t tmpfs -o mode=755 tmpfs dev
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=700 tmpfs root
mount -t tmpfs -o mode=755 tmpfs home
mkdir -p dev/pts dev/shm run/lock var/lib/docker var/lib/containerd mnt
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
# Docker cannot keep its layers on an overlay.
mount -t tmpfs -o mode=711 tmpfs var/lib/docker
mount -t tmpfs -o mode=711 tmpfs var/lib/containerd

# Removes the machine's units and package sources, which the server replaces by its own. Also removes what only costs
# time: generators of units, the index of manual pages, and what a desktop does after an installation.
rm -rf etc/systemd/system/*.wants etc/systemd/system/*.requires etc/systemd/system/ssh.service \
  etc/systemd/system/sshd.service lib/systemd/system-generators/* usr/sbin/policy-rc.d var/lib/man-db/auto-update \
  etc/apt/apt.conf.d/20packagekit etc/apt/apt.conf.d/50appstream etc/apt/sources.list.d var/lib/apt/lists
# Compiling installed Python files takes longer than everything else, and nothing here starts them twice.
[ ! -e usr/bin/py3compile ] || printf '#!/bin/sh\n' > usr/bin/py3compile
cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty dev
cp -a --remove-destination "$folder/files/." .
if [ -n "$packages" ]; then
  mount --bind "$packages" srv/packages/pool
  mount -o remount,bind,ro srv/packages/pool
fi

# From here on the server has its own root, and no path leads to the machine's files.
echo "$init" > "$folder/init"
pivot_root . mnt
cd /
umount -l /mnt
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=multi-user.target --log-target=console --show-status=no
`;
