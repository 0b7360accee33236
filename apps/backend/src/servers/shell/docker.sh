# Finds out how this account can run docker, or reports why it cannot.

. servers/shell/prelude.sh

have docker || missing docker
docker_as_root=
dock() { ${docker_as_root:+sudo -n} docker "$@"; }
if ! said=$(docker version --format '{{.Server.Version}}' 2>&1); then
  if can_sudo && sudo -n docker version >/dev/null 2>&1; then
    docker_as_root=yes
  else
    case $said in
      *'permission denied'*)
        fail 126 "The account $(id -un) is not allowed to use docker. Add it to the group docker, or let it use sudo without a password."
        ;;
    esac
    printf '%s\n' "$said" >&2
    fail 69 'Docker is installed on this server, but its daemon does not answer. Start it, for example with "systemctl start docker".'
  fi
fi
