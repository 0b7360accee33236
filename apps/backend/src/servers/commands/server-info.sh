. servers/shell/prelude.sh
. servers/commands/memory-table.sh

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
  # shellcheck disable=SC2086
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
