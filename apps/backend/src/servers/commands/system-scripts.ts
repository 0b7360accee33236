import { prelude } from './script-prelude';

/** From /proc alone: a minimal server has neither free nor ps. */
const memoryTable = String.raw`
memory_table() {
  awk '
    { kib[$1] = $2 }
    function row(name, total, free, used) {
      used = total - free
      printf "%-8s %10.1f %10.1f %10.1f %6d %%\n", name, total / 1024, used / 1024, free / 1024, total ? 100 * used / total : 0
    }
    END {
      available = ("MemAvailable:" in kib) ? kib["MemAvailable:"] : kib["MemFree:"] + kib["Buffers:"] + kib["Cached:"]
      printf "%-8s %10s %10s %10s %8s\n", "MiB", "total", "used", "available", "in use"
      row("memory", kib["MemTotal:"], available)
      row("swap", kib["SwapTotal:"], kib["SwapFree:"])
    }' /proc/meminfo
}
`;

export const memoryUsageScript = String.raw`${prelude}${memoryTable}
[ -r /proc/meminfo ] || fail 69 'This server does not tell its memory in /proc/meminfo.'
memory_table
echo
echo 'Largest processes'
printf '%10s %8s  %s\n' 'MiB' 'pid' 'name'
grep -H '^VmRSS:' /proc/[0-9]*/status 2>/dev/null | sort -k 2 -r -n | head -n 10 | while read -r file kib unit; do
  pid=$(printf '%s\n' "$file" | cut -d / -f 3)
  name=$(cat "/proc/$pid/comm" 2>/dev/null) || continue
  printf '%10d %8s  %s\n' "$((kib / 1024))" "$pid" "$name"
done
exit 0
`;

export const serverInfoScript = String.raw`${prelude}${memoryTable}
line() { printf '%-10s %s\n' "$1" "$2"; }
# A daemon or a network disk that hangs must not hide all the rest.
within() {
  limit=$1
  shift
  if timeout 1 true 2>/dev/null; then timeout "$limit" "$@"; else "$@"; fi
}
os=$(. /etc/os-release 2>/dev/null && printf '%s' "$PRETTY_NAME")
line 'host' "$(uname -n)"
[ -n "$os" ] || os=$(uname -s)
line 'system' "$os"
line 'kernel' "$(uname -srm)"
line 'time' "$(date -u '+%Y-%m-%d %H:%M:%S') UTC"
[ -r /proc/uptime ] && line 'up' "$(awk '{ s = int($1); printf "%d days %d h %d min", s / 86400, s % 86400 / 3600, s % 3600 / 60 }' /proc/uptime)"
[ -r /proc/loadavg ] && line 'load' "$(cut -d ' ' -f 1-3 /proc/loadavg) (1, 5, 15 minutes)"
cores=$(nproc 2>/dev/null || grep -c '^processor' /proc/cpuinfo)
model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
[ -n "$model" ] && cores="$cores ($model)"
line 'cores' "$cores"
addresses=$(ip -o addr show scope global 2>/dev/null | awk '{ print $4 }' | tr '\n' ' ')
[ -n "$addresses" ] && line 'addresses' "$addresses"
line 'account' "$(id -un) (uid $(id -u))$(can_sudo && printf ', may use sudo')"

if have docker; then
  root=
  can_sudo && root='sudo -n'
  said=$(within 3 $root docker version --format '{{.Server.Version}}' 2>/dev/null) || said='installed, its daemon does not answer'
  line 'docker' "$said"
  said=$(within 3 docker compose version --short 2>/dev/null || within 3 docker-compose version --short 2>/dev/null) || said='not installed'
  line 'compose' "$said"
else
  line 'docker' 'not installed'
fi
if have nginx; then line 'nginx' "$(nginx -v 2>&1 | sed 's,^.*nginx/,,')"; else line 'nginx' 'not installed'; fi

echo
[ -r /proc/meminfo ] && memory_table
echo
within 3 df -hP 2>/dev/null | awk 'NR == 1 || $1 ~ /^\// || $6 == "/"'
exit 0
`;

/** $1: the folder. */
export const staticFoldersScript = String.raw`${prelude}
path=$1
case $path in
  /*) ;;
  *) path=./$path ;;
esac
as_root test -e "$path" || as_root test -L "$path" || {
  parent=$(dirname -- "$path")
  as_root test -d "$parent" && ! as_root test -x "$parent" && fail 126 "The account $(id -un) may not look into $parent."
  fail 2 "There is no folder $1 on this server."
}
as_root test -d "$path" || fail 2 "$1 is not a folder."
as_root test -r "$path" && as_root test -x "$path" || fail 126 "The account $(id -un) may not read $1."

# In a shell of its own, since a glob of ours sees only what this account may see.
as_root sh -c '
  cd -- "$1" || exit 126
  folders=0
  files=0
  for entry in ./* ./.[!.]* ./..?*; do
    if [ -d "$entry" ]; then folders=$((folders + 1)); elif [ -e "$entry" ]; then files=$((files + 1)); fi
  done
  echo "$2: $folders folders, $files files"
  [ "$folders" = 0 ] && exit 0
  changed() { date -r "$1" "+%Y-%m-%d %H:%M" 2>/dev/null; }
  name() { printf "%s" "$1" | cut -c 3-; }
  echo
  printf "%8s  %-16s  %s\n" size changed folder
  # One walk for all sizes; it names the folder itself last.
  du -h -d 1 . 2>/dev/null | while IFS="$(printf "\t")" read -r size entry; do
    if [ "$entry" = . ]; then printf "%8s  %-16s  %s\n" "$size" "" "(in all)"
    else printf "%8s  %-16s  %s\n" "$size" "$(changed "$entry")" "$(name "$entry")"
    fi
  done
  for entry in ./* ./.[!.]* ./..?*; do
    [ -L "$entry" ] && [ -d "$entry" ] || continue
    printf "%8s  %-16s  %s -> %s\n" link "$(changed "$entry")" "$(name "$entry")" "$(readlink "$entry")"
  done
  exit 0
' sh "$path" "$1"
`;
