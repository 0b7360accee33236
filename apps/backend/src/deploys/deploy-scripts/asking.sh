# `asks` checks whether the service at $port of the loopback answers at $path. With `in_network`, a command that enters another
# network namespace, that namespace's loopback is used instead of the server's. `enter_network` sets it for the nginx of
# $container, which `find_nginx_container` finds.

: "${answer_seconds?}"

in_network=
# Asked anew each time: a restarted container has another process.
enter_network() {
  in_network=
  [ -n "$container" ] || return 0
  nginx_pid=$(docker container inspect --format '{{if ne .HostConfig.NetworkMode "host"}}{{.State.Pid}}{{end}}' "$container" 2>/dev/null)
  [ "${nginx_pid:-0}" = 0 ] || in_network="nsenter --target $nginx_pid --net"
}
asks() {
  if have curl; then
    # shellcheck disable=SC2086
    case $($in_network curl --globoff --silent --output /dev/null --max-time "$answer_seconds" --write-out '%{http_code}' "http://127.0.0.1:$port$path") in
      [23]??) true ;;
      *) false ;;
    esac
  else $in_network wget -q -O /dev/null -T "$answer_seconds" "http://127.0.0.1:$port$path"
  fi
}
have curl || have wget || missing curl
