# Finds the running nginx and makes it load its configuration. A failed reload is not reported to the caller: the old
# workers simply continue. So the script checks the workers and the master's log. The processes of a container are
# among those of the server.
# In: container, pid_file, error_log, work.

title() { { tr '\0' ' ' <"/proc/$1/cmdline"; } 2>/dev/null; }
is_master() {
  case $(title "$1") in
    'nginx: master process'*) true ;;
    *) false ;;
  esac
}
# Sets master, empty if nginx does not run. Without a pid file, an nginx in another container does not count.
find_master() {
  master=
  files=/
  if [ -n "$container" ]; then files=/proc/$(of_container '{{.State.Pid}}')/root
  elif [ -r "$pid_file" ] && read -r one <"$pid_file" && is_master "$one"; then
    master=$one
    return 0
  fi
  # shellcheck disable=SC2013
  for one in $(grep -s -x -l nginx /proc/[0-9]*/comm | cut -d / -f 3); do
    if is_master "$one" && [ "/proc/$one/root/." -ef "$files/." ]; then
      master=$one
      return 0
    fi
  done
  return 1
}
# The processes that the master has started, as number:start time.
children() { cat /proc/[0-9]*/stat 2>/dev/null | sed 's/ (.*) / /' | awk -v master="$master" '$3 == master { printf "%s:%s ", $1, $21 }'; }
# The workers that take connections.
serving() {
  for one in $(children); do
    case $(title "${one%%:*}") in
      *'shutting down'*) ;;
      'nginx: worker process'*) printf '%s ' "$one" ;;
    esac
  done
}
# Sets logged to the length of the error log. The engine has the log of a container.
mark_log() {
  if [ -n "$container" ]; then logged=$(($(docker logs "$container" 2>&1 | wc -c)))
  elif [ -f "$error_log" ]; then logged=$(($(wc -c <"$error_log")))
  else logged=0
  fi
}
new_log() {
  if [ -n "$container" ]; then docker logs "$container" 2>&1 | tail -c "+$((logged + 1))"
  elif [ -f "$error_log" ]; then tail -c "+$((logged + 1))" "$error_log" 2>/dev/null
  fi
}

# The master blocks SIGHUP while it reads its configuration, and a SIGHUP that it has not handled is pending. Until both are
# over, new workers belong to the reload of another process.
reads_now() { grep -q -E '^(SigPnd|ShdPnd|SigBlk):.*[13579bdf]$' "/proc/$master/status" 2>/dev/null; }
await_reading() {
  waited=0
  while reads_now && [ "$waited" -lt 300 ]; do
    nap 0.1
    waited=$((waited + 1))
  done
}

# Reloads nginx. True if workers run the configuration; if not, $work/said has the reason.
reload() {
  await_reading
  # All children, because a worker that has just started has no title yet.
  before=" $(children)"
  mark_log
  # The master's number in the log. In a container it differs from the number here.
  number=$(sed -n 's/^NSpid:.*[[:space:]]//p' "/proc/$master/status" 2>/dev/null)
  kill -HUP "$master" 2>"$work/said" || return 1
  tries=0
  while [ "$tries" -lt 600 ]; do
    nap 0.1
    tries=$((tries + 1))
    fresh=
    old=
    for one in $(serving); do
      case $before in
        *" $one "*) old=yes ;;
        *) fresh=yes ;;
      esac
    done
    [ -z "$fresh" ] || [ -n "$old" ] || return 0
    if ! is_master "$master"; then
      echo 'nginx ended when it was reloaded.' >"$work/said"
      return 1
    fi
    # A port that is taken is tried five times, half a second apart.
    new_log | grep -F "[emerg] ${number:-$master}#" >"$work/said"
    if grep -q -v 'bind() to' "$work/said"; then return 1; fi
  done
  [ -s "$work/said" ] || echo 'nginx was reloaded, but no worker ran the new configuration within a minute.' >"$work/said"
  return 1
}

# Starts nginx, as a service if there is one. Succeeds if it runs.
start_nginx() {
  mark_log
  # A container that keeps ending is restarted too.
  if [ -n "$container" ]; then docker restart "$container"
  elif [ -d /run/systemd/system ] && have systemctl && systemctl cat nginx >/dev/null 2>&1; then systemctl start nginx
  elif have rc-service && [ -e /etc/init.d/nginx ]; then rc-service nginx start
  elif have service && [ -x /etc/init.d/nginx ]; then service nginx start
  else nginx
  fi >"$work/said" 2>&1 </dev/null 8>&-
  tries=0
  until find_master && [ -n "$(serving)" ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 50 ]; then
      new_log >>"$work/said"
      return 1
    fi
    nap 0.1
  done
}

# Identifies the running master, so a later one is not taken for it.
master_mark() { printf '%s %s %s' "$master" "$(began "$master")" "$boot_id"; }
