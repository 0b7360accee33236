/**
 * The script of a probe: one fixed POSIX sh script for dash and busybox, which only reads. It prints independent lines
 * `name=value`. Values that a server cannot provide are omitted, and anything that may hang (a daemon, a network disk)
 * has its own time limit. `$1`: the folder whose file system is measured, `$2`: the folder of nginx's sites, `$3`: a line
 * `id path` with the path of the health check for each service.
 *
 * A service that was deployed has a file there, and a container with its id as a label unless it is a client package:
 * `service=id|state of the container|its status in words`. It is asked what a deploy asks:
 * `answer=id|HTTP status or silent|health`, the last word only if it was asked at the path of its health check.
 */

import { ANSWER_SECONDS } from '@quarterdeck/projections';
import { NGINX_CONTAINER, ownAddressesScript } from '../servers';

/** Time limit of `docker ps` and of `df`. */
const PATIENCE_SECONDS = 3;
/** How long services are begun to be asked, of the ten seconds that the script has. */
const SERVICES_SECONDS = 3;
/** Number of services that are asked at the same time. */
const AT_ONCE = 16;
const MAX_SERVICES = 200;

export const probeScript = String.raw`
PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin
LC_ALL=C
export PATH LC_ALL
have() { command -v "$1" >/dev/null 2>&1; }
runs() { grep -q -s -x "$1" /proc/[0-9]*/comm; }
has_timeout=
timeout -s KILL 1 true 2>/dev/null && has_timeout=yes
# Killed outright: what is bounded here only asks, and holds nothing.
bounded() {
  if [ -n "$has_timeout" ]; then
    timeout -s KILL ${PATIENCE_SECONDS} "$@"
    return
  fi
  "$@" &
  asked=$!
  { sleep ${PATIENCE_SECONDS}; kill -9 "$asked"; } >/dev/null 2>&1 &
  guard=$!
  wait "$asked"
  code=$?
  kill "$guard" 2>/dev/null
  return "$code"
}

folder=$1
paths=$3
sites=$(printf '%s' "$2" | sed 's,//*$,,')
set -- "$sites"/quarterdeck-service-*.conf
[ -e "$1" ] || set --
name_of() { id=${'${1##*/quarterdeck-service-}'}; id=${'${id%.conf}'}; }
# Asks every service whose turn it is, one after the other. $1: the turn, and then the files of all.
ask_services() {
  turn=$1
  shift
  count=0
  for file in "$@"; do
    count=$((count + 1))
    [ "$((count % ${AT_ONCE}))" = "$turn" ] && [ "$count" -le ${MAX_SERVICES} ] && [ -r "$file" ] && [ "$(date +%s)" -lt "$end" ] || continue
    port=$(sed -n 's/^ *listen 127\.0\.0\.1:\([0-9]*\);.*/\1/p' "$file" | head -n 1)
    [ -n "$port" ] || continue
    name_of "$file"
    path=$(printf '%s\n' "$paths" | sed -n "s,^$id ,,p")
    status=$(curl --globoff -s -o /dev/null --max-time ${ANSWER_SECONDS} -w '%{http_code}' "http://127.0.0.1:$port${'${path:-/}'}")
    # Only who answers too late is silent: else the status says that nothing listens, or what the answer was.
    case $?$status in 28000) status=silent ;; esac
    echo "answer=$id|$status|${'${path:+health}'}"
  done
}
ask_docker() { bounded docker "$@" 2>/dev/null || { [ "$(id -u)" != 0 ] && have sudo && bounded sudo -n docker "$@" 2>/dev/null; }; }
nginx_container=
if have docker; then nginx_container=$(ask_docker ps --all --filter 'name=^/${NGINX_CONTAINER}$' --format '{{.State}}'); fi
# An nginx in a container answers at a loopback of its own. Where none runs, every service is down.
if [ "$#" -gt 0 ] && have curl && have nginx && [ -z "$nginx_container" ]; then
  end=$(($(date +%s) + ${SERVICES_SECONDS}))
  turn=0
  # Beside everything else: who answers late holds up nobody.
  while [ "$turn" -lt ${AT_ONCE} ]; do
    ask_services "$turn" "$@" &
    turn=$((turn + 1))
  done
fi

if [ -r /proc/loadavg ]; then
  read -r load1 load5 load15 rest </proc/loadavg
else
  set_load() { load1=$1 load5=$2 load15=$3; }
  set_load $(uptime 2>/dev/null | sed -n 's/.*load averages\{0,1\}: *//p' | tr -d ,)
fi
echo "load1=$load1"
echo "load5=$load5"
echo "load15=$load15"
echo "cores=$(nproc 2>/dev/null || grep -c '^processor' /proc/cpuinfo 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null)"

if [ -r /proc/meminfo ]; then
  free=0
  available=
  while read -r name kib unit; do
    case $name in
      MemTotal:) echo "memoryTotalKib=$kib" ;;
      MemAvailable:) available=$kib ;;
      # Before Linux 3.14 this sum is the best guess.
      MemFree: | Buffers: | Cached:) free=$((free + kib)) ;;
    esac
  done </proc/meminfo
  echo "memoryAvailableKib=$(( ${'${available:-$free}'} ))"
fi
if [ -r /proc/uptime ]; then
  read -r up rest </proc/uptime
  echo "uptimeSeconds=${'${up%%.*}'}"
fi

# Before the server was initialized there may be no such folder: then it is about where it will be.
while [ -n "$folder" ] && [ ! -e "$folder" ]; do
  case $folder in */*) folder=${'${folder%/*}'} ;; *) folder= ;; esac
done
bounded df -P -k "${'${folder:-/}'}" 2>/dev/null | {
  read -r header
  read -r device total used available rest
  echo "diskTotalKib=$total"
  echo "diskUsedKib=$used"
  echo "diskAvailableKib=$available"
}

if ! have docker; then
  echo docker=absent
else
  # One line a container; an account that may not ask docker may perhaps ask as root.
  if found=$(bounded docker ps --quiet 2>/dev/null) ||
    { [ "$(id -u)" != 0 ] && have sudo && found=$(bounded sudo -n docker ps --quiet 2>/dev/null); }; then
    count=0
    for one in $found; do count=$((count + 1)); done
    echo docker=running
    echo "containers=$count"
  elif ! runs dockerd; then
    echo docker=stopped
  elif [ -S /var/run/docker.sock ] && [ ! -w /var/run/docker.sock ]; then
    # It runs, and this account may not ask it.
    echo docker=running
  else
    echo docker=silent
  fi
fi
# Of the nginx that serves the sites: the container, where there is one, or else the server's own.
contained='/(docker|libpod|lxc|kubepods|cri-containerd|system.slice/docker)[-/]'
own_nginx_runs() {
  for one in $(grep -l -s -x nginx /proc/[0-9]*/comm | cut -d / -f 3); do
    # The nginx of an app in a container is another one. Where this server itself is a container, all are alike.
    grep -q -s -E "$contained" /proc/self/cgroup || ! grep -q -s -E "$contained" "/proc/$one/cgroup" || continue
    return 0
  done
  return 1
}
if [ -n "$nginx_container" ]; then
  if [ "$nginx_container" = running ]; then echo nginx=running; else echo nginx=stopped; fi
elif ! have nginx; then echo nginx=absent; elif own_nginx_runs; then echo nginx=running; else echo nginx=stopped; fi

${ownAddressesScript}
containers=
listing='{{.Label "quarterdeck.service"}}|{{.State}}|{{.Status}}'
asked_docker=
if [ "$#" -gt 0 ] && have docker && { containers=$(bounded docker ps --all --filter label=quarterdeck.service --format "$listing" 2>/dev/null) ||
  { [ "$(id -u)" != 0 ] && have sudo && containers=$(bounded sudo -n docker ps --all --filter label=quarterdeck.service --format "$listing" 2>/dev/null); }; }; then
  asked_docker=yes
fi
count=0
for file in "$@"; do
  count=$((count + 1))
  [ "$count" -le ${MAX_SERVICES} ] && [ -r "$file" ] || continue
  name_of "$file"
  # While a deploy is under way, two containers have the label. The one that runs counts.
  line=$(printf '%s\n' "$containers" | grep "^$id|" | sort -t '|' -k 2,2 | tail -n 1)
  state=
  words=
  if grep -q proxy_pass "$file" && [ -n "$asked_docker" ]; then
    state=missing
    if [ -n "$line" ]; then
      line=${'${line#*|}'}
      state=${'${line%%|*}'}
      words=${'${line#*|}'}
    fi
  fi
  echo "service=$id|$state|$words"
done
wait
exit 0
`;
