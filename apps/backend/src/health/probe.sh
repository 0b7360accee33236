# A probe: it only reads. It prints independent lines `name=value`. Values that a server cannot provide are omitted, and
# anything that may hang (a daemon, a network disk) has its own time limit. `root`: the folder whose file system is measured,
# `nginx_folder`: the folder of nginx's sites, `paths`: a line `id path` with the path of the health check for each service.
#
# A service that was deployed has a file there, and a container with its id as a label unless it is a client package:
# `service=id|state of the container|its status in words`. It is asked as a deploy asks it:
# `answer=id|HTTP status or silent|health`, the last word only if it was asked at the path of its health check.
# What its container uses is in a line `usage=` (usage.sh).

: "${root?}" "${nginx_folder?}" "${paths?}" "${answer_seconds?}"

PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin
LC_ALL=C
export PATH LC_ALL
have() { command -v "$1" >/dev/null 2>&1; }

# Limit for a question to docker and for df.
patience_seconds=3
# For how long services are asked, within the ten seconds of the script; how many at once, and how many at most.
services_seconds=3
at_once=16
max_services=200

runs() { grep -q -s -x "$1" /proc/[0-9]*/comm; }
has_timeout=
timeout -s KILL 1 true 2>/dev/null && has_timeout=yes
# Killed at once: the programs that run here only read.
bounded() {
  if [ -n "$has_timeout" ]; then
    timeout -s KILL "$patience_seconds" "$@"
    return
  fi
  "$@" &
  asked=$!
  { sleep "$patience_seconds"; kill -9 "$asked"; } >/dev/null 2>&1 &
  guard=$!
  wait "$asked"
  code=$?
  kill "$guard" 2>/dev/null
  return "$code"
}

folder=$root
sites=$(printf '%s' "$nginx_folder" | sed 's,//*$,,')
set -- "$sites"/quarterdeck-service-*.conf
[ -e "$1" ] || set --
name_of() { id=${1##*/quarterdeck-service-}; id=${id%.conf}; }
# Asks every service whose turn it is, one after the other. $1: the turn, and then the files of all.
ask_services() {
  turn=$1
  shift
  count=0
  for file in "$@"; do
    count=$((count + 1))
    [ "$((count % at_once))" = "$turn" ] && [ "$count" -le "$max_services" ] && [ -r "$file" ] && [ "$(date +%s)" -lt "$end" ] || continue
    port=$(sed -n 's/^ *listen 127\.0\.0\.1:\([0-9]*\);.*/\1/p' "$file" | head -n 1)
    [ -n "$port" ] || continue
    name_of "$file"
    path=$(printf '%s\n' "$paths" | sed -n "s,^$id ,,p")
    status=$(curl --globoff -s -o /dev/null --max-time "$answer_seconds" -w '%{http_code}' "http://127.0.0.1:$port${path:-/}")
    # Silent is only a service that answers too late. Otherwise the status is the answer, or says that nothing listens.
    case $?$status in 28000) status=silent ;; esac
    echo "answer=$id|$status|${path:+health}"
  done
}
ask_docker() { bounded docker "$@" 2>/dev/null || { [ "$(id -u)" != 0 ] && have sudo && bounded sudo -n docker "$@" 2>/dev/null; }; }
nginx_container=
if have docker; then nginx_container=$(ask_docker ps --all --filter 'name=^/quarterdeck-nginx$' --format '{{.State}}'); fi
# An nginx in a container has a loopback of its own. If no nginx runs, every service is down.
if [ "$#" -gt 0 ] && have curl && have nginx && [ -z "$nginx_container" ]; then
  end=$(($(date +%s) + services_seconds))
  turn=0
  # In the background, so a service that answers late delays nothing.
  while [ "$turn" -lt "$at_once" ]; do
    ask_services "$turn" "$@" &
    turn=$((turn + 1))
  done
fi

if [ -r /proc/loadavg ]; then
  read -r load1 load5 load15 rest </proc/loadavg
else
  set_load() { load1=$1 load5=$2 load15=$3; }
  # shellcheck disable=SC2046
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
  echo "memoryAvailableKib=$(( ${available:-$free} ))"
fi
if [ -r /proc/uptime ]; then
  read -r up rest </proc/uptime
  echo "uptimeSeconds=${up%%.*}"
fi

# Before the server is initialized the folder may be missing: then the folder above it is measured.
while [ -n "$folder" ] && [ ! -e "$folder" ]; do
  case $folder in */*) folder=${folder%/*} ;; *) folder= ;; esac
done
bounded df -P -k "${folder:-/}" 2>/dev/null | {
  read -r header
  read -r device total used available rest
  echo "diskTotalKib=$total"
  echo "diskUsedKib=$used"
  echo "diskAvailableKib=$available"
}

if ! have docker; then
  echo docker=absent
else
  # One line for each container. An account without access to docker may have it as root.
  if found=$(bounded docker ps --quiet 2>/dev/null) ||
    { [ "$(id -u)" != 0 ] && have sudo && found=$(bounded sudo -n docker ps --quiet 2>/dev/null); }; then
    count=0
    for one in $found; do count=$((count + 1)); done
    echo docker=running
    echo "containers=$count"
  elif ! runs dockerd; then
    echo docker=stopped
  elif [ -S /var/run/docker.sock ] && [ ! -w /var/run/docker.sock ]; then
    # It runs, but this account has no access to it.
    echo docker=running
  else
    echo docker=silent
  fi
fi
# Of the nginx that serves the sites: the container, where there is one, or else the server's own.
contained='/(docker|libpod|lxc|kubepods|cri-containerd|system.slice/docker)[-/]'
own_nginx_runs() {
  # shellcheck disable=SC2013
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

. servers/shell/own-addresses.sh
. health/usage.sh
containers=
listing='{{.Label "quarterdeck.service"}}|{{.State}}|{{.Status}}|{{.ID}}'
asked_docker=
as=
# shellcheck disable=SC2086
list_services() { bounded $as docker ps --all --no-trunc --filter label=quarterdeck.service --format "$listing" 2>/dev/null; }
if [ "$#" -gt 0 ] && have docker && { containers=$(list_services) ||
  { [ "$(id -u)" != 0 ] && have sudo && as='sudo -n' && containers=$(list_services); }; }; then
  asked_docker=yes
fi
# Hexadecimal, because each becomes an argument.
ids=
[ -z "$containers" ] || ids=$(printf '%s\n' "$containers" | sed -n 's/.*|\([0-9a-f]\{64\}\)$/\1/p' | head -n "$max_services")
if [ -n "$ids" ]; then
  # Not asked again as root if it fails: a container may be gone by now.
  # shellcheck disable=SC2086
  bounded $as docker inspect --type container --format "$usage_listing" $ids 2>/dev/null | print_usage
fi
count=0
for file in "$@"; do
  count=$((count + 1))
  [ "$count" -le "$max_services" ] && [ -r "$file" ] || continue
  name_of "$file"
  # While a deploy is under way, two containers have the label. The one that runs counts.
  line=$(printf '%s\n' "$containers" | grep "^$id|" | sort -t '|' -k 2,2 | tail -n 1)
  state=
  words=
  if grep -q proxy_pass "$file" && [ -n "$asked_docker" ]; then
    state=missing
    if [ -n "$line" ]; then
      line=${line#*|}
      state=${line%%|*}
      words=${line#*|}
      words=${words%|*}
    fi
  fi
  echo "service=$id|$state|$words"
done
wait
exit 0
