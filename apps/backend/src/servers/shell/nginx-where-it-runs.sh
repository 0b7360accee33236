# Goes after prelude.sh, as root.

. servers/shell/nginx-container.sh

of_container() { docker container inspect --format "$1" "$container" 2>/dev/null; }
in_container() {
  if [ "$(of_container '{{.State.Status}}')" = running ]; then docker exec -i "$container" "$@"
  else
    docker run --rm -i --volumes-from "$container" --network "$(of_container '{{.HostConfig.NetworkMode}}')" \
      --entrypoint env "$(of_container '{{.Image}}')" "$@"
  fi
}
# If the server has the container, `nginx` is the program in it, so `have nginx` is true. If the container does not run,
# another container with its files and its network runs the program.
find_nginx() {
  find_nginx_container
  if [ -n "$container" ]; then nginx() { in_container nginx "$@" </dev/null; }; fi
}
