# If nginx runs in a container, its compose file already provides what these scripts would set up.

. servers/shell/nginx-container.sh

find_nginx_container
if [ -n "$container" ]; then
  note "nginx runs in the container $container, and is left unchanged."
  exit 0
fi
