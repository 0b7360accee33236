/**
 * Leads the session. $0 lies in the folder of the work, and descriptor 9 holds `alive` open. The parentheses keep what
 * the shell itself says of a killed script ("Killed") out of the output.
 */
const work = `d=\${0%/*}
mkdir "$d/gate" 2>/dev/null || exit 1
if read -r stat 2>/dev/null </proc/$$/stat; then
  set -- \${stat##*)}
  leads=$3
  since=\${20}
else
  leads=$(ps -o pgid= -p $$ 2>/dev/null | tr -d ' ')
  since=-
fi
[ "$leads" = $$ ] && group=-$$ || group=$$
printf '%s %s\\n' "$group" "$since" >"$d/group" || exit 1
(exec /bin/sh "$d/run" </dev/null >>"$d/output" 2>&1 9>&-)
code=$?
size=$(wc -c <"$d/output")
printf '%s %s\\n' "$code" "$((size))" >"$d/exit.new" && mv "$d/exit.new" "$d/exit"
`;

/** What the script finds: two functions, its arguments, and nothing else of ours. */
const run = `report() (
  value=\${2-}
  line=
  while case $value in *'
'*) true ;; *) false ;; esac; do
    line="$line\${value%%'
'*} "
    value=\${value#*'
'}
  done
  printf '%s %s\\n' "\${1-}" "$line$value" 2>/dev/null >>"\${0%/*}/report" || :
)
changed() { report changed "\${1-}"; }
. "\${0%/*}/arguments"
. "\${0%/*}/script"
`;

/**
 * Starts the work unless somebody did before, and sets d; launched too, when it was started here. Arguments of `begin`:
 * the size of what follows, the script, the command that sets its arguments, `work`, `run`.
 */
export const start = `
# What was ended long ago and nobody has come for.
sweep() {
  find "$1/.done" -type f -mtime +7 -exec rm -f '{}' ';'
  find "$1/." ! -name . -prune -type d ! -name .done -mtime +7 | while read -r old; do
    read_group "$old" && same_boot "$old" && running && continue
    # Without the mark of ours, only what is empty.
    if [ -f "$old/boot" ]; then rm -rf "$old"; else rmdir "$old"; fi
  done
}

# $1: the umask of the account, $2: the size of the four texts that follow.
put_all() {
  {
    printf '%s' "$3" >"$d/script" && printf '%s' "$4" >"$d/arguments" &&
      printf '%s' "$5" >"$d/work" && printf '%s' "$6" >"$d/run" &&
      [ "$(cat "$d/script" "$d/arguments" "$d/work" "$d/run" | wc -c)" -eq "$2" ]
  } 2>/dev/null || {
    echo "not all of it could be written to $base, where $(df -P "$base" | awk 'NR == 2 { print $4 }') kB are free"
    return 1
  }
  printf 'umask %s\\n' "$1" >>"$d/arguments" && printf '%s\\n' "$boot_id" >"$d/boot" &&
    : >"$d/output" && : >"$d/report" || return 1
  mkfifo "$d/alive" "$d/pump.$$" 2>/dev/null || :
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
  mkdir "$d/gate" 2>/dev/null && mkdir "$d/gate/never" 2>/dev/null
  # Where there was no room for it, there is none for the reason.
  rm -f "$d/script" "$d/arguments" "$d/work" "$d/run"
  printf '%s' "$1" >"$d/gate/never/why" 2>/dev/null
}

begin() {
  find_work && return
  was_removed && return
  make_base
  d=$base/$name
  mask=$(umask)
  umask 077
  if ! why=$(mkdir "$d" 2>&1); then
    [ -d "$d" ] && return
    no_place "$why"
  fi
  if was_removed; then
    rmdir "$d"
    d=
    return
  fi
  if why=$(put_all "$mask" "$@" 2>&1); then
    launch
    launched=1
  else
    never "$why"
  fi
}
`;

export const startFiles = { work, run };
