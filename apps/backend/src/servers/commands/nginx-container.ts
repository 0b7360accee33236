/** A server's nginx may run in a container, which is defined in the server's compose file. */

/** Name of the container, and of its service in the compose file. */
export const NGINX_CONTAINER = 'quarterdeck-nginx';

/**
 * Goes after `prelude`. Sets $container to its name if the server has it, even if stopped, and $nginx to the command. An
 * engine that is just restarting is given some seconds: without its answer, the container would look like none.
 */
export const findNginxContainer = `
container=
if have docker; then
  engine_waited=0
  until engine_said=$(as_root docker container inspect --format '{{.Id}}' ${NGINX_CONTAINER} 2>&1) && container=${NGINX_CONTAINER}; do
    case $engine_said in
      *'annot connect to the Docker daemon'* | *'rror during connect'*) [ -S /var/run/docker.sock ] && [ "$engine_waited" -lt 20 ] || break ;;
      *) break ;;
    esac
    engine_waited=$((engine_waited + 1))
    sleep 1
  done
fi
nginx="\${container:+docker exec $container }nginx"
`;

/**
 * Goes after `prelude`, as root. If the server has the container, `nginx` then is the program in it, so `have nginx` is
 * true. If the container does not run, another container with its files and its network runs the program.
 */
export const nginxWhereItRuns = `${findNginxContainer}
of_container() { docker container inspect --format "$1" "$container" 2>/dev/null; }
in_container() {
  if [ "$(of_container '{{.State.Status}}')" = running ]; then docker exec -i "$container" "$@"
  else
    docker run --rm -i --volumes-from "$container" --network "$(of_container '{{.HostConfig.NetworkMode}}')" \\
      --entrypoint env "$(of_container '{{.Image}}')" "$@"
  fi
}
if [ -n "$container" ]; then nginx() { in_container nginx "$@" </dev/null; }; fi
`;
