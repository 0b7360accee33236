# The beginning of every fixed command. The commands are POSIX sh for Debian, Ubuntu and Alpine (busybox), and use only
# tools that all three have. They never prompt, and change only what their name says. Exit codes: 127 a program is not
# installed, 126 the account lacks permission, 69 a service does not answer, 2 a folder or file does not exist; else
# the exit code of the tool.

# An account that is not root often lacks the sbin folders, where nginx lives.
PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin
LC_ALL=C
export PATH LC_ALL

have() { command -v "$1" >/dev/null 2>&1; }
fail() { code=$1; shift; printf '%s\n' "$*" >&2; exit "$code"; }
missing() { fail 127 "$1 is not installed on this server."; }
is_root() { [ "$(id -u)" = 0 ]; }
can_sudo() { ! is_root && have sudo && sudo -n true 2>/dev/null; }
# As root where that takes no password, otherwise as who we are.
as_root() { if can_sudo; then sudo -n "$@"; else "$@"; fi; }
# For nginx, which opens every log that its configuration names, also when it only tests it.
many_files() { ulimit -S -n 65536 2>/dev/null || ulimit -S -n "$(ulimit -H -n)" 2>/dev/null || :; }
