import { setupPrelude } from './setup-prelude';

/** Checks whether the server can be reached, and reports the port. */
export const reachScript = String.raw`${setupPrelude}
note "Connected to $(uname -n) as $(id -un)."
port=$(printf '%s' "$SSH_CONNECTION" | cut -d ' ' -f 4)
case $port in
  '' | *[!0-9]*) ;;
  *) report sshPort "$port" ;;
esac
`;

/** Checks operating system and privileges, which all other steps depend on. */
export const systemScript = String.raw`${setupPrelude}
[ "$(uname -s)" = Linux ] || fail 69 "This server runs $(uname -s). Only Linux can be set up from here."
name=$(os_release PRETTY_NAME)
[ -n "$name" ] || name='Linux of an unknown distribution'
note "System: $name, kernel $(uname -r), $(uname -m)."

case $package_manager in
  '') fail 69 'There is no package manager here that is known: apt, apk, dnf or yum.' ;;
  apt-get) note 'Packages: apt.' ;;
  *) note "Packages: $package_manager." ;;
esac

account=$(id -un)
if is_root; then
  note "Account: $account, who may do everything."
elif can_sudo; then
  note "Account: $account, who may use sudo without a password."
elif have sudo; then
  fail 126 "The account $account is not root, and sudo wants a password from it. Connect as root, or let it use sudo without one: '$account ALL=(ALL) NOPASSWD: ALL' in a file in /etc/sudoers.d."
else
  fail 126 "The account $account is not root, and there is no sudo on this server. Connect as root."
fi
report system "$name"
report packages "$package_manager"
`;
