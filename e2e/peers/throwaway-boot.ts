/** The two scripts that make a throw-away server: one on this machine, one inside its namespaces, up to systemd. */

/** $1: the folder of the server, $2: its name, $3: the folder of Debian packages that it may install from, or nothing. */
export const enterScript = String.raw`set -e
# A control group of its own in every hierarchy, v1 or v2, so that its systemd can manage what is below.
while IFS=: read -r number controllers path; do
  case $controllers in
    '') options=cgroup2 ;;
    *) options=$controllers ;;
  esac
  place=$(awk -v want="$options" '
    want == "cgroup2" && $3 == "cgroup2" { print $2; exit }
    $3 == "cgroup" && index("," $4 ",", "," want ",") { print $2; exit }' /proc/mounts)
  [ -n "$place" ] || continue
  mkdir -p "$place/$2"
  if [ -e "$place/$2/cpuset.cpus" ] && [ "$options" != cgroup2 ]; then
    cat "$place/cpuset.cpus" > "$place/$2/cpuset.cpus"
    cat "$place/cpuset.mems" > "$place/$2/cpuset.mems"
  fi
  echo $$ > "$place/$2/cgroup.procs"
done < /proc/self/cgroup
exec unshare --net --mount --uts --ipc --cgroup --pid --fork --kill-child sh "$1/boot.sh" "$@"
`;

/** What must not run there: it belongs to the machine (clock, kernel, devices) or would only cost time. */
const masked = [
  ...['systemd-udevd.service', 'systemd-udev-trigger.service', 'systemd-modules-load.service'],
  ...[
    'systemd-sysctl.service',
    'systemd-timesyncd.service',
    'systemd-binfmt.service',
    'systemd-pstore.service',
  ],
  ...[
    'systemd-resolved.service',
    'systemd-networkd.service',
    'networking.service',
    'systemd-remount-fs.service',
  ],
  ...[
    'getty.target',
    'console-getty.service',
    'systemd-hwdb-update.service',
    'systemd-journal-flush.service',
  ],
  ...['sys-kernel-config.mount', 'sys-kernel-debug.mount', 'sys-kernel-tracing.mount', 'dev-mqueue.mount'],
  ...['dev-hugepages.mount', 'sys-fs-fuse-connections.mount', 'proc-sys-fs-binfmt_misc.automount'],
  ...['apt-daily.timer', 'apt-daily-upgrade.timer', 'ssh.socket'],
];

const sshdConfig = [
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

const lines = (all: string[]): string => all.map((line) => `'${line}'`).join(' ');

/** Same arguments. The machine's files are its files, and what it writes goes to memory. */
export const bootScript = String.raw`set -e
folder=$1
name=$2
packages=$3
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
    [ -n "$controllers" ] || continue
    place=sys/fs/cgroup/$(printf '%s' "$controllers" | sed 's,^name=,,')
    mkdir "$place"
    case $controllers in
      name=*) mount -t cgroup -o "none,$controllers" cgroup "$place" ;;
      *) mount -t cgroup -o "$controllers" cgroup "$place" ;;
    esac
  done < /proc/self/cgroup
fi
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  : > "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=700 tmpfs root
mount -t tmpfs -o mode=755 tmpfs home
mkdir -p run/lock var/lib/docker var/lib/containerd mnt
# Docker's layers cannot lie on an overlay.
mount -t tmpfs -o mode=711 tmpfs var/lib/docker
mount -t tmpfs -o mode=711 tmpfs var/lib/containerd

echo "$name" > etc/hostname
printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$name" > etc/hosts
: > etc/fstab
tr -d - < /proc/sys/kernel/random/uuid > etc/machine-id
rm -f usr/sbin/policy-rc.d
# Compiling what is installed for a faster start takes longer than everything else, and is thrown away.
[ ! -e usr/bin/py3compile ] || printf '#!/bin/sh\n' > usr/bin/py3compile
# Likewise the index of the manual pages.
rm -f var/lib/man-db/auto-update

units=etc/systemd/system
rm -rf "$units"/*.wants "$units"/*.requires "$units"/ssh.service "$units"/sshd.service
mkdir -p "$units/multi-user.target.wants"
for unit in ${masked.join(' ')}; do ln -sf /dev/null "$units/$unit"; done
printf '%s\n' ${lines(sshUnit)} > "$units/ssh.service"
ln -s ../ssh.service "$units/multi-user.target.wants/"
printf '%s\n' ${lines(sshdConfig)} > etc/ssh/sshd_config
cp "$folder/host_key" etc/ssh/host_key
chmod 600 etc/ssh/host_key
cp "$folder/authorized_keys" etc/ssh/authorized_keys
chmod 644 etc/ssh/authorized_keys

# Packages come from a folder, or from where nobody answers.
rm -rf etc/apt/sources.list.d etc/apt/sources.list var/lib/apt/lists
mkdir -p etc/apt/sources.list.d var/lib/apt/lists/partial
if [ -n "$packages" ]; then
  mkdir -p srv/packages/pool
  mount --bind "$packages" srv/packages/pool
  mount -o remount,bind,ro srv/packages/pool
  cp "$folder/Packages" srv/packages/Packages
  echo 'deb [trusted=yes] file:/srv/packages ./' > etc/apt/sources.list
else
  echo 'deb [trusted=yes] http://deb.debian.org/debian stable main' > etc/apt/sources.list
fi

# Its root is the root from here on: nothing there leads back to this machine's files.
pivot_root . mnt
cd /
umount -l /mnt
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=multi-user.target --log-target=console --show-status=no
`;
