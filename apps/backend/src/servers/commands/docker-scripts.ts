import { prelude } from './script-prelude';

/** Finds out how this account can run docker, or reports why it cannot. */
const needDocker = String.raw`${prelude}
have docker || missing docker
dock() { docker "$@"; }
if ! said=$(docker version --format '{{.Server.Version}}' 2>&1); then
  if can_sudo && sudo -n docker version >/dev/null 2>&1; then
    dock() { sudo -n docker "$@"; }
  else
    case $said in
      *'permission denied'*)
        fail 126 "The account $(id -un) may not use docker. Add it to the group docker, or let it use sudo without a password."
        ;;
    esac
    printf '%s\n' "$said" >&2
    fail 69 'Docker is installed on this server, but its daemon does not answer. Start it, for example with "systemctl start docker".'
  fi
fi
`;

export const dockerPsScript = String.raw`${needDocker}
dock ps --all --format 'table {{.Names}}\t{{.Image}}\t{{.Status}}\t{{.Ports}}' || exit
[ -n "$(dock ps --all --quiet)" ] || echo 'There are no containers on this server.'
`;

export const dockerStatsScript = String.raw`${needDocker}
if [ -z "$(dock ps --quiet)" ]; then
  echo 'No containers are running on this server.'
  exit 0
fi
dock stats --no-stream --format 'table {{.Name}}\t{{.CPUPerc}}\t{{.MemUsage}}\t{{.MemPerc}}\t{{.NetIO}}\t{{.BlockIO}}\t{{.PIDs}}'
`;

export const dockerImagesScript = String.raw`${needDocker}
dock images --format 'table {{.Repository}}\t{{.Tag}}\t{{.ID}}\t{{.CreatedSince}}\t{{.Size}}' || exit
[ -n "$(dock images --quiet)" ] || echo 'There are no images on this server.'
echo
dock system df
`;

/** Without --volumes: the data in a volume cannot be pulled again. */
export const dockerPruneScript = String.raw`${needDocker}
echo 'Removing stopped containers, unused networks, unused images and the build cache; volumes stay.'
dock system prune --all --force
`;
