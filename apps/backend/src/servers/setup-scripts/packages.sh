# Installs packages with the distribution's own tool: apt, apk, dnf or yum. Needs root. Goes after setup-prelude.sh.

# Runs the package manager quietly: its output goes to $log. Waits while another process uses it.
manager() {
  waited=0
  repaired=
  while :; do
    DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 "$@" >"$log" 2>&1 </dev/null
    code=$?
    [ "$code" = 0 ] && return 0
    if [ -z "$repaired" ] && grep -q 'dpkg was interrupted' "$log"; then
      repaired=yes
      note 'An earlier installation was interrupted. Finishing it first: dpkg --configure -a.'
      DEBIAN_FRONTEND=noninteractive dpkg --configure -a >"$log" 2>&1 </dev/null || return
      changed 'finished an interrupted installation of packages'
      continue
    fi
    grep -q -E 'Could not get lock|Unable to acquire|Unable to lock' "$log" || return "$code"
    [ "$waited" = 0 ] && note 'Another process is using the package manager. Waiting up to ten minutes for it.'
    [ "$waited" -lt 600 ] || return "$code"
    sleep 3
    waited=$((waited + 3))
  done
}

unreachable='Temporary failure|temporary error|Could not resolve|Could not connect|Unable to connect|Connection (failed|refused|timed out)|Network is unreachable|DNS lookup error|network error|Cannot download|Curl error|Cannot find a valid baseurl|Failed to download metadata'
not_offered='Unable to locate package|no installation candidate|no such package|unable to select packages|No match for argument|Unable to find a match|No package .* available'

# Once, and only when something has to be installed.
source_silent=
lists_are_new=
renew_lists() {
  [ -z "$lists_are_new" ] || return 0
  lists_are_new=yes
  case $package_manager in
    apt-get) note 'Renewing the package lists.'; manager apt-get -q update ;;
    apk) note 'Renewing the package lists.'; manager apk update ;;
    *) return 0 ;;
  esac
  code=$?
  if grep -q -i -E "$unreachable" "$log"; then
    source_silent=yes
    warn 'Some package sources could not be reached:'
    grep -i -E "$unreachable" "$log" | sort -u | head -n 3 | sed 's/^/  /'
  elif [ "$code" != 0 ]; then
    warn 'The package lists could not be renewed:'
    tail -n 5 "$log" | sed 's/^/  /'
  fi
}

# Whether the package sources have it.
offered() {
  renew_lists
  case $package_manager in
    apt-get) apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]' ;;
    apk) [ -n "$(apk search -x -q "$1" 2>/dev/null)" ] ;;
    *) "$package_manager" -q info "$1" >/dev/null 2>&1 ;;
  esac
}

install_packages() {
  [ -n "$package_manager" ] || fail 69 'This server has no supported package manager. Supported are apt, apk, dnf and yum.'
  renew_lists
  note "Installing $*."
  case $package_manager in
    apt-get) manager apt-get -q -y --no-install-recommends -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install "$@" ;;
    apk) manager apk add --no-progress "$@" ;;
    *) manager "$package_manager" -q -y install "$@" ;;
  esac
  code=$?
  if [ "$code" = 0 ]; then
    for package in "$@"; do changed "installed $package"; done
    return 0
  fi
  tail -n 20 "$log" | sed 's/^/  /' >&2
  if [ -n "$source_silent" ] || grep -q -i -E "$unreachable" "$log"; then
    fail 69 "The package sources of this server cannot be reached, so these were not installed: $*."
  fi
  grep -q -i -E "$not_offered" "$log" && fail 69 "The package sources of this server do not offer all of these packages: $*."
  grep -q -i -E 'No space left|not enough free space|more space needed' "$log" && fail 74 "There is not enough free disk space to install $*."
  grep -q -E 'Could not get lock|Unable to acquire|Unable to lock' "$log" && fail 75 'Another process has held the package manager for ten minutes. Try again when it has ended.'
  fail "$code" "$package_manager could not install $*."
}
