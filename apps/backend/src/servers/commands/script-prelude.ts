/**
 * What every fixed command starts with. The commands are POSIX sh for Debian, Ubuntu and Alpine (busybox), with no
 * tool taken for granted beyond those that each of them has. They never ask, and change nothing but what their name
 * says. Exit codes: 127 what is needed is not installed, 126 this account may not, 69 it is there but does not answer,
 * 2 the folder or file is not there; else what the tool itself said.
 */
export const prelude = String.raw`
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
`;
