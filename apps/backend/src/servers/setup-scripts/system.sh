# Checks operating system and privileges, which all other steps depend on.

. servers/setup-scripts/setup-prelude.sh

[ "$(uname -s)" = Linux ] || fail 69 "This server runs $(uname -s). The console can set up Linux only."
name=$(os_release PRETTY_NAME)
[ -n "$name" ] || name='Linux of an unknown distribution'
note "System: $name, kernel $(uname -r), $(uname -m)."

case $package_manager in
  '') fail 69 'This server has no supported package manager. Supported are apt, apk, dnf and yum.' ;;
  apt-get) note 'Packages: apt.' ;;
  *) note "Packages: $package_manager." ;;
esac

account=$(id -un)
if is_root; then
  note "Account: $account."
elif can_sudo; then
  note "Account: $account, with sudo and no password."
elif have sudo; then
  fail 126 "The account $account is not root, and its sudo asks for a password. Connect as root, or allow sudo without a password: '$account ALL=(ALL) NOPASSWD: ALL' in a file in /etc/sudoers.d."
else
  fail 126 "The account $account is not root, and sudo is not installed on this server. Connect as root."
fi
report system "$name"
report packages "$package_manager"
