# Ends a process group: first politely, then by force. Prints nothing. Exit code 0: gone, 1: still there. `kill -TERM -123` is the
# only form that dash, bash and busybox all accept: dash and busybox refuse `--` in between. A shell that does not lead its group
# may be in the group of the SSH server itself. Then it and its descendants are ended one by one.
#
# Positional parameter: the group, because it also runs at the end of other scripts.

family() {
  cat /proc/[0-9]*/stat 2>/dev/null | sed 's/ (.*) / /' | awk -v top="$1" '
    { parent[$1] = $3 }
    END {
      for (pid in parent) {
        for (up = pid; (up in parent) && up != top; up = parent[up]);
        if (up == top) print pid
      }
    }'
}
case $1 in
  -*) targets=$1 ;;
  *) targets=$(family "$1") ;;
esac
# What runs under sudo belongs to root and takes signals from root only.
may_sudo=
if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then may_sudo=1; fi
tell() {
  # shellcheck disable=SC2086
  kill "$1" $targets 2>/dev/null
  # shellcheck disable=SC2086
  [ -z "$may_sudo" ] || sudo -n kill "$1" $targets 2>/dev/null
}
# kill finds the dead too, as long as nobody has fetched their exit code.
all_dead() {
  # shellcheck disable=SC2116,SC2086
  cat /proc/[0-9]*/stat 2>/dev/null | sed 's/ (.*) / /' | awk -v targets=" $(echo $targets) " '
    index(targets, " " $1 " ") || index(targets, " -" $4 " ") { if ($2 == "Z") dead = 1; else alive = 1 }
    END { exit !(dead && !alive) }'
}
there() {
  for one in $targets; do
    if kill -0 "$one" 2>/dev/null || { [ -n "$may_sudo" ] && sudo -n kill -0 "$one" 2>/dev/null; }; then
      ! all_dead
      return
    fi
  done
  return 1
}
wait_gone() {
  n=0
  while [ $n -lt "$1" ]; do
    there || exit 0
    sleep 0.1 2>/dev/null || sleep 1
    n=$((n + 1))
  done
}
tell -TERM
wait_gone 20
tell -KILL
wait_gone 20
exit 1
