# A server's nginx may run in a container, which is defined in the server's compose file. Its name, quarterdeck-nginx, is also
# in nginx-container.ts. Goes after prelude.sh.

# Sets $container to its name if the server has it, even if stopped, and $nginx to the command. An engine that is just
# restarting gets some seconds: without its answer, the server would seem to have no container.
find_nginx_container() {
  container=
  if have docker; then
    engine_waited=0
    until engine_said=$(as_root docker container inspect --format '{{.Id}}' quarterdeck-nginx 2>&1) && container=quarterdeck-nginx; do
      case $engine_said in
        *'annot connect to the Docker daemon'* | *'rror during connect'*) [ -S /var/run/docker.sock ] && [ "$engine_waited" -lt 20 ] || break ;;
        *) break ;;
      esac
      engine_waited=$((engine_waited + 1))
      sleep 1
    done
  fi
  nginx="${container:+docker exec $container }nginx"
}
