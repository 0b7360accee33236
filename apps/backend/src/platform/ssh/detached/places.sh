# Where detached work keeps its files on a server, for the shell there. Each piece of work has one folder,
# `$HOME/.quarterdeck/<name>`, which contains
#   script, arguments   as they were sent
#   run                 what the work is: the functions it may call, its arguments, the script
#   work                leads the session, runs `run` and stores its exit code
#   boot                the boot of the server in which it was started
#   gate                created once, by the first of two: `work`, which starts, or a script that cancels it
#   never               the work was cancelled before it started, with the reason if it is known
#   group               process group and start of its leader; written before anything of the script runs
#   alive               a pipe that `work` holds open: its readers notice when `work` ends
#   output              stdout and stderr
#   report              lines of `name value`
#   exit                exit code and size of the output; counts once its line is whole
# Creating the folder is the claim: it succeeds only once, so the work is started only once. When the folder is
# removed, an empty file in `.done` replaces it, so that a start that arrives late does not run the work again.
# All scripts get the name of the work and a random word, which marks their messages to us.

: "${name?}" "${word?}"

boot_id=
read -r boot_id 2>/dev/null </proc/sys/kernel/random/boot_id
# The second number is the effective one. No process is started for what the kernel tells anyway.
uid=
while read -r key _ uid _; do [ "$key" != Uid: ] || break; done 2>/dev/null </proc/self/status
[ -n "$uid" ] || uid=$(id -u)
# Behind sudo, HOME may still be that of the account.
[ "$uid" != 0 ] || HOME=~root
at_home=$HOME/.quarterdeck
elsewhere=/var/tmp/.quarterdeck-$uid

say() { printf '\n::quarterdeck %s %s\n' "$word" "$*" >&2; }
nap() { sleep "$1" 2>/dev/null || sleep 1; }

# Ours, and nobody else's trap: /var/tmp is open to all.
ours() { [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ]; }

# Sets d to the folder of the work; false when there is none.
find_work() {
  for base in "$at_home" "$elsewhere"; do
    d=$base/$name
    if ours "$base" && [ -d "$d" ]; then return 0; fi
  done
  d=
  return 1
}

was_removed() {
  for old in "$at_home" "$elsewhere"; do
    if ours "$old" && [ -e "$old/.done/$name" ]; then return 0; fi
  done
  return 1
}

# Sets base to where work may be put.
make_base() {
  for base in "$at_home" "$elsewhere"; do
    if ours "$base" && [ -w "$base/.done" ]; then return; fi
    why=$( (umask 077 && mkdir -p "$base/.done") 2>&1)
    if ours "$base" && [ -w "$base/.done" ]; then return; fi
  done
  no_place "$why"
}
no_place() {
  say end no-place 0
  say why "$1"
  say over
  exit 0
}

# Makes the caller the one who decides: true once, since the shell then makes a file only where there is none.
take_gate() {
  set -C
  true 2>/dev/null >"$d/gate"
  set -- $?
  set +C
  return "$1"
}

# Whether the work has ended by itself; sets verdict.
ended() { [ -e "$d/exit" ] && read -r verdict 2>/dev/null <"$d/exit"; }

# Sets group and since of the work in $1.
read_group() {
  group=
  since=
  [ -r "$1/group" ] && read -r group since <"$1/group"
  [ -n "$group" ]
}

same_boot() {
  was=
  [ -r "$1/boot" ] && read -r was <"$1/boot"
  [ -z "$was" ] || [ -z "$boot_id" ] || [ "$was" = "$boot_id" ]
}

# Whether anything of the group runs. Zombies do not, and a process that got the number of the leader later on is none
# of ours.
running() {
  [ -n "$group" ] || return 1
  if [ ! -r /proc/self/stat ]; then
    kill -0 "$group" 2>/dev/null
    return
  fi
  cat /proc/[0-9]*/stat 2>/dev/null | sed 's/ (.*) / /' | awk -v group="$group" -v since="$since" '
    BEGIN { leader = group; sub(/^-/, "", leader); whole = (group != leader) }
    $1 == leader && since != "-" && $21 != since { other = 1 }
    ($1 == leader || (whole && $4 == leader)) && $2 != "Z" { found = 1 }
    END { exit !(found && !other) }'
}
