# Starts the work unless somebody already has, and sets d; also sets launched if it was started here. Arguments of
# `begin`: the size of what follows, the script, the command that sets its arguments, `work`, `run`.

# What was ended long ago and nobody has come for.
sweep() {
  find "$1/.done" -type f -mtime +7 -exec rm -f '{}' ';'
  find "$1/." ! -name . -prune -type d ! -name .done -mtime +7 | while read -r old; do
    read_group "$old" && same_boot "$old" && running && continue
    # Without the mark of ours, only what is empty.
    if [ -f "$old/boot" ]; then rm -rf "$old"; else rmdir "$old"; fi
  done
}

# $1: the umask of the account, $2: the size of the four texts that follow. False when not all of it is there.
put_all() {
  printf '%s' "$3" >"$d/script" && printf '%s' "$4" >"$d/arguments" &&
    printf '%s' "$5" >"$d/work" && printf '%s' "$6" >"$d/run" &&
    holds "$2" "$d/script" "$d/arguments" "$d/work" "$d/run" &&
    printf 'umask %s\n' "$1" >>"$d/arguments" && printf '%s\n' "$boot_id" >"$d/boot" &&
    true >"$d/output" && true >"$d/report" || return 1
  mkfifo "$d/alive" "$d/pump.$$" || :
} 2>/dev/null

# Whether the files that follow have the size $1 in all, which is the first word of wc's last line.
holds() {
  wanted=$1
  shift
  sizes=$(wc -c "$@")
  # shellcheck disable=SC2086
  set -- ${sizes##*
}
  [ "$1" -eq "$wanted" ]
}

launch() {
  if [ -p "$d/alive" ]; then exec 9<>"$d/alive"; fi
  if command -v setsid >/dev/null 2>&1; then
    setsid /bin/sh "$d/work" </dev/null >/dev/null 2>&1 5<&- &
  elif command -v perl >/dev/null 2>&1; then
    perl -MPOSIX -e 'POSIX::setsid(); exec @ARGV' /bin/sh "$d/work" </dev/null >/dev/null 2>&1 5<&- &
  else
    # A process group at least, in the shells that can do that without a terminal.
    set -m 2>/dev/null
    /bin/sh "$d/work" </dev/null >/dev/null 2>&1 5<&- &
    set +m 2>/dev/null
  fi
  exec 9>&-
}

never() {
  free=$(df -P "$base" | awk 'NR == 2 { print $4 }')
  # Where there was no room for it, there is none for the reason.
  rm -f "$d/script" "$d/arguments" "$d/work" "$d/run"
  take_gate
  echo "not all of it could be written to $base, where $free kB are free" >"$d/never"
} 2>/dev/null

begin() {
  find_work && return
  was_removed && return
  make_base
  d=$base/$name
  # The umask of the account, and after it what may be wrong.
  if ! told=$(umask; umask 077; mkdir "$d" 2>&1); then
    [ -d "$d" ] && return
    no_place "${told#*
}"
  fi
  umask 077
  if was_removed; then
    rmdir "$d"
    d=
    return
  fi
  if put_all "$told" "$@"; then
    launch
    launched=1
  else
    never
  fi
}
