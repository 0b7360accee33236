/**
 * Starts a new container next to the one that serves, waits until it is healthy, and points the proxy to it. Removes
 * the container unless the proxy points to it. This is one step, so no unused container remains between two steps.
 */
import { NGINX_CONTAINER } from '../../servers';
import { applyScript, sha256Functions } from '../../webserver';
import { askFunctions, deployExit, deployPrelude } from './prelude';

/** The arguments of `run_it` are names and values of variables. */
export const runIt = String.raw`# The values of several lines come by the environment of the command: the file has one line for each. Their names may be
# those of variables here. So the whole command is made first, and nothing but it is read once the first one is exported.
run_it() (
  pairs=$#
  set -- "$@" - docker run --detach --name "$name" ${'${network:+--network "$network"}'} --env "PORT=$inside" --env-file "$folder/env" \
    --label "quarterdeck.service=$service" --label "quarterdeck.release=$release" --label "quarterdeck.port=$port" \
    --publish "127.0.0.1:$port:$inside" --log-driver json-file --log-opt max-size=10m --log-opt max-file=3
  at=0
  for one in "$@"; do
    [ "$at" -lt "$pairs" ] || break
    [ $((at % 2)) = 1 ] || set -- "$@" --env "$one"
    at=$((at + 1))
  done
  set -- "$@" "$image"
  while [ "$1" != - ]; do
    export "$1=$2"
    shift 2
  done
  shift
  exec "$@"
)
`;

/**
 * Arguments: the folder of the service, the file of its proxy, the ids of service and release, the name of the
 * container, the image by its digest, the port in the container, the first port to try on the server, path and seconds
 * of the health check, the compose file, the environment file, the folder of sites, the root folder, the proxy with
 * port 0 in place of the container's, the same for an nginx in a container, and for each multi-line variable its name
 * and value. Reports `port`, at which the container answers on the server, `network`, the network of nginx's container,
 * and the values that `applyScript` reports.
 */
export const startScript = String.raw`${deployPrelude}
base=$1
proxy=$2
service=$3
release=$4
name=$5
image=$6
inside=$7
first=$8
path=$9
shift 9
seconds=$1
compose=$2
environment=$3
sites=$4
root=$5
proxy_text=$6
in_network_text=$7
shift 7
folder=$base/$release
port=

# Also when the run is cancelled. The proxy tells whether the container serves, however far an earlier attempt came.
remove_it() {
  [ -n "$port" ] || port=$(label "$name" port)
  [ -n "$port" ] && [ "$(port_of_proxy "$proxy")" != "$port" ] || return 0
  docker rm --force "$name" >/dev/null 2>&1
  rm -f "$folder/env"
  # It is none of the releases that are kept to go back to.
  mv -f "$folder/image" "$folder/unserved" 2>/dev/null
}
trap remove_it EXIT
trap 'exit 143' HUP INT TERM

await_engine
# A container that shares the server's own network reaches everything there.
network=$(docker container inspect --format '{{.HostConfig.NetworkMode}}' ${NGINX_CONTAINER} 2>/dev/null)
[ "$network" != host ] || network=
if [ -n "$network" ]; then
  report network "$network"
  proxy_text=$in_network_text
fi
mkdir -p "$folder" || fail 73 "$folder cannot be made."

# What an earlier deploy left behind that was ended before its proxy led to it. Without a proxy nobody knows which one
# serves.
serving=$(port_of_proxy "$proxy")
look_at_containers "$service"
while read -r one other at; do
  if [ -n "$serving" ] && [ -n "$at" ] && [ "$other" != "$release" ] && [ "$at" != "$serving" ]; then
    note "Removing the container of the release $other, which does not serve."
    docker rm --force "$one" >/dev/null 2>&1
  fi
done <<END
$containers
END

# Listening on any address, or used by a container that does not run at the moment.
taken() {
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '$4 == "0A" { n = split($2, at, ":"); print at[n] }' | grep -q -i -x "$(printf '%04X' "$1")" && return 0
  docker ps --all --format '{{.Label "quarterdeck.port"}}' | grep -q -x "$1"
}

write_files() {
  printf '%s' "$compose" >"$folder/compose.yml" &&
    printf 'HOST_PORT=%s\n' "$port" >"$folder/.env" &&
    rm -f "$folder/unserved" &&
    printf '%s\n' "$image" >"$folder/image" &&
    printf '%s' "$environment" >"$folder/env" || fail 73 "$folder cannot be written."
}

${runIt}
running() { [ "$(docker container inspect --format '{{.State.Running}}' "$name" 2>/dev/null)" = true ]; }

port=$(label "$name" port)
if [ -n "$port" ] && running; then note "The container $name runs already."
else
  docker rm --force "$name" >/dev/null 2>&1
  port=$first
  tries=0
  while :; do
    while taken "$port"; do port=$((port < 29999 ? port + 1 : 20000)); done
    write_files
    engine run_it "$@" && break
    docker rm --force "$name" >/dev/null 2>&1
    tries=$((tries + 1))
    case $said in
      *'already allocated'* | *'already in use'*) [ "$tries" -gt 20 ] || { port=$((port + 1)); continue; } ;;
    esac
    tell_said
    refuse_full "$said"
    refuse_architecture "$said"
    fail ${deployExit.start} 'The container could not be started. Any previous version keeps serving.'
  done
  did "started the container $name on port $port"
fi
report port "$port"

${askFunctions}
last_words() {
  docker logs --tail 20 "$name" 2>&1 | sed 's/^/  /' >&2
}
note "Asking http://127.0.0.1:$port$path for up to $seconds s."
end=$(($(date +%s) + seconds))
until asks; do
  if ! running; then
    if answers && [ "$(docker container inspect --format '{{.State.Running}}' "$name" 2>/dev/null)" = false ]; then
      code=$(docker container inspect --format '{{.State.ExitCode}}' "$name")
      # An engine that was killed takes its containers along. Where a socket starts it again, whoever asks it meanwhile only
      # waits, but it writes its number anew.
      if [ -n "$away" ] || [ /var/run/docker.pid -nt "$folder/image" ]; then
        docker start "$name" >/dev/null 2>&1
        touch "$folder/image"
        away=
      else
        last_words
        refuse_architecture "$(docker logs --tail 5 "$name" 2>&1)"
        fail ${deployExit.ended} "The container ended with exit code $code. Any previous version keeps serving."
      fi
    else
      away=yes
      await_engine
    fi
  fi
  if [ "$(date +%s)" -ge "$end" ]; then
    last_words
    fail ${deployExit.unhealthy} "The health check $path did not succeed within $seconds s. Any previous version keeps serving."
  fi
  nap 0.2
done
# From now on it starts with the server. Not unless-stopped: an engine that starts after a crash stops what still runs,
# and Docker 20.10 then takes that for a stop by hand.
engine docker update --restart always "$name" || { tell_said; fail ${deployExit.start} 'The container could not be made to start with the server.'; }
note 'It is healthy.'

# nginx tests the new proxy with all sites, and swaps it without losing a request.
${sha256Functions}
text=$(printf '%s' "$proxy_text" | sed "s,\(proxy_pass http://127\.0\.0\.1:\)0;,\1$port;," && echo .)
text=${'${text%.}'}
# A cancel ends the swap, which puts back what was before. nginx may still pass requests to the container then, so it is
# left to the step that settles a cancelled deploy.
trap : HUP INT TERM
(
  umask 022
  # The file is ours alone: whatever it is, it is replaced.
  set -- "$sites" "${'${proxy##*/}'}" "$root" '*' "$(printf '%s' "$text" | sha256)" "$text"
${applyScript}
)
code=$?
[ "$code" != 143 ] || trap - EXIT
exit "$code"
`;
