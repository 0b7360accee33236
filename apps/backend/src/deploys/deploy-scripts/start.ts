/**
 * Starts a new container next to the one that serves, waits until it is healthy, points the proxy to it, and watches it
 * until the last requests of the previous one are answered. If it fails before that, everything is as it was. This is
 * one step, so no unused container remains between two steps, and only a version that lasted is recorded as serving.
 */
import { deployExit, deployPrelude } from './prelude';
import { switchFunctions } from './switch';
import { WATCH_SECONDS, watchFunctions } from './watch';

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
 * port 0 in place of the container's, the same for an nginx in a container, how many seconds the last requests of the
 * previous version may take, and for each multi-line variable its name and value. Reports `port`, at which the container
 * answers on the server, `network`, the network of nginx's container, `why` a version was taken back, and the values
 * that `applyScript` reports.
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
drain=$8
shift 8
folder=$base/$release
port=

${watchFunctions}
${switchFunctions}
# Also when the run is cancelled. The proxy tells whether the container serves, however far an earlier attempt came.
remove_it() {
  [ -n "$port" ] || port=$(sed -n 's/^HOST_PORT=//p' "$folder/.env" 2>/dev/null)
  [ -n "$port" ] && [ "$(port_of_proxy "$proxy")" != "$port" ] || return 0
  engine docker rm --force "$name" >/dev/null 2>&1
  rm -f "$folder/env"
  # It is none of the releases that are kept to go back to.
  mv -f "$folder/image" "$folder/unserved" 2>/dev/null
}
trap remove_it EXIT
trap 'exit 143' HUP INT TERM

await_engine
network=
if [ -n "$container" ]; then
  # A container that shares the server's own network reaches everything there.
  look_at "$container" '{{.HostConfig.NetworkMode}}'
  [ "$said" = host ] || network=$said
fi
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
    engine docker rm --force "$one" || tell_said
  fi
done <<END
$containers
END

# Listening on any address, or used by a container that does not run at the moment.
taken() {
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '$4 == "0A" { n = split($2, at, ":"); print at[n] }' | grep -q -i -x "$(printf '%04X' "$1")" && return 0
  engine docker ps --all --format '{{.Label "quarterdeck.port"}}' || no_engine
  printf '%s\n' "$said" | grep -q -x "$1"
}

write_files() {
  printf '%s' "$compose" >"$folder/compose.yml" &&
    printf 'HOST_PORT=%s\n' "$port" >"$folder/.env" &&
    rm -f "$folder/unserved" &&
    printf '%s\n' "$image" >"$folder/image" &&
    printf '%s' "$environment" >"$folder/env" || fail 73 "$folder cannot be written."
}

${runIt}
look_at "$name" '{{index .Config.Labels "quarterdeck.port"}}'
port=$said
earlier=$port
look
if [ -n "$port" ] && [ "$state" = running ]; then
  note "The container $name runs already."
  crashes_before=$crashes
else
  engine docker rm --force "$name" >/dev/null
  port=$first
  tries=0
  while :; do
    while taken "$port"; do port=$((port < 29999 ? port + 1 : 20000)); done
    write_files
    engine run_it "$@" && break
    ran=$said
    engine docker rm --force "$name"
    said=$ran
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

last_words() {
  docker logs --tail 20 "$name" 2>&1 | sed 's/^/  /' >&2
}
await_health() {
  become_well "$seconds" && return 0
  last_words
  refuse_architecture "$(docker logs --tail 5 "$name" 2>&1)"
  fail "$bad" "$why Any previous version keeps serving."
}
note "Asking http://127.0.0.1:$port$path for up to $seconds s."
await_health
# From now on it starts with the server. Not unless-stopped: an engine that starts after a crash stops what still runs,
# and Docker 20.10 then takes that for a stop by hand.
engine docker update --restart always "$name" || { tell_said; fail ${deployExit.start} 'The container could not be made to start with the server.'; }
# An engine that was restarted before that has not started it again.
await_health
note 'It is healthy.'

# nginx tests the new proxy with all sites, and swaps it without losing a request.
# An earlier attempt may have come that far.
case $(port_of_proxy "$proxy") in
  "$port" | "${'${earlier:-$port}'}") ;;
  *) keep_before ;;
esac
text=$(printf '%s' "$proxy_text" | sed "s,\(proxy_pass http://127\.0\.0\.1:\)0;,\1$port;," && echo .)
# A cancel ends the swap, which puts back what was before. nginx may still pass requests to the container then, so it is
# left to the step that settles a cancelled deploy.
trap : HUP INT TERM
put_proxy "$text"
code=$?
[ "$code" != 143 ] || trap - EXIT
[ "$code" = 0 ] || exit "$code"
trap 'trap - EXIT; exit 143' HUP INT TERM

watch ${WATCH_SECONDS} "$drain" && exit 0
last_words
report why "$why"
note "$why Going back to what served before."
trap : HUP INT TERM
switch_back || exit
await_last_requests "$proxy" "$drain"
fail ${deployExit.takenBack} "$why The new version was taken back."
`;
