/** A server's nginx may run in a container: the one of the server's compose file. */

/** Its name in the compose file, too. */
export const NGINX_CONTAINER = 'quarterdeck-nginx';

/** After `prelude`. Sets container to its name if the server has it, running or not, and nginx to the command. */
export const findNginxContainer = `
container=
if have docker && as_root docker container inspect ${NGINX_CONTAINER} >/dev/null 2>&1; then container=${NGINX_CONTAINER}; fi
nginx="\${container:+docker exec $container }nginx"
`;

/**
 * After `prelude`, as root. From here on `nginx` is the program in the container, if the server has it: so `have nginx`
 * is true. A container that does not run lends its files and its network to another one.
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
