# Checks whether the server can be reached, and reports the port.

. servers/setup-scripts/setup-prelude.sh

note "Connected to $(uname -n) as $(id -un)."
port=$(printf '%s' "$SSH_CONNECTION" | cut -d ' ' -f 4)
case $port in
  '' | *[!0-9]*) ;;
  *) report sshPort "$port" ;;
esac
