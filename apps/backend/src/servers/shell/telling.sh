# The beginning of scripts that are used both as steps of runs and as plain commands. A run provides `report` and
# `changed`. In a plain command they print lines that `readTold` extracts from the output.

. servers/shell/prelude.sh

plain=
if ! have report; then
  plain=yes
  report() { printf '::told %s %s\n' "$1" "$2"; }
fi
if ! have changed; then changed() { report changed "$1"; }; fi
note() { printf '%s\n' "$*"; }
did() { note "Done: $1."; changed "$1"; }
warn() { printf 'warning: %s\n' "$*"; }
nap() { sleep "$1" 2>/dev/null || sleep 1; }
