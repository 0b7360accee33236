# The beginning of every set-up script. The scripts check before they act, and print what they find, what they do, and when
# there is nothing to do. `report` and `changed` are provided by the run.

. servers/shell/prelude.sh

note() { printf '%s\n' "$*"; }
# For the reader and for the record.
did() { note "Done: $1."; changed "$1"; }
warn() { printf 'warning: %s\n' "$*"; }
os_release() { (. /etc/os-release 2>/dev/null && eval "printf '%s' \"\$$1\""); }

package_manager=
for one in apt-get apk dnf yum; do
  if have "$one"; then
    package_manager=$one
    break
  fi
done

log=$(mktemp) || fail 73 'No temporary file can be written on this server.'
trap 'rm -f "$log"' EXIT
trap 'exit 143' HUP INT TERM
