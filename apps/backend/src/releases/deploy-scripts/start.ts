/** Starts a new container beside the one that serves, and waits until it is healthy. Otherwise removes it again. */
import { deployExit, deployPrelude } from './prelude';

/** Its arguments are names and values of variables. */
export const runIt = String.raw`# The values of several lines come by the environment of the command: the file has one line for each. Their names may be
# those of variables here. So the whole command is made first, and nothing but it is read once the first one is exported.
run_it() (
  pairs=$#
  set -- "$@" - docker run --detach --name "$name" --env "PORT=$inside" --env-file "$folder/env" \
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
 * of the health check, the compose file, the environment file, and for each variable of several lines its name and
 * value. Reports `port`: where it answers on the server.
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
shift 3
folder=$base/$release
healthy=

remove_it() {
  docker rm --force "$name" >/dev/null 2>&1
  rm -f "$folder/env"
}
# Also when the run is cancelled: it never served.
trap '[ -n "$healthy" ] || remove_it' EXIT
trap 'exit 143' HUP INT TERM

await_engine
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
    fail ${deployExit.start} 'The container could not be started. What served before goes on serving.'
  done
  did "started the container $name on port $port"
fi
report port "$port"

asks() {
  if have curl; then
    case $(curl --silent --output /dev/null --max-time 5 --write-out '%{http_code}' "http://127.0.0.1:$port$path") in
      [23]??) true ;;
      *) false ;;
    esac
  else wget -q -O /dev/null -T 5 "http://127.0.0.1:$port$path"
  fi
}
have curl || have wget || missing curl

last_words() {
  docker logs --tail 20 "$name" 2>&1 | sed 's/^/  /' >&2
}
note "Asking http://127.0.0.1:$port$path for up to $seconds s."
end=$(($(date +%s) + seconds))
until asks; do
  if ! running; then
    if answers && [ "$(docker container inspect --format '{{.State.Running}}' "$name" 2>/dev/null)" = false ]; then
      code=$(docker container inspect --format '{{.State.ExitCode}}' "$name")
      # An engine that was killed takes its containers along.
      if [ -n "$away" ]; then
        docker start "$name" >/dev/null 2>&1
        away=
      else
        last_words
        fail ${deployExit.ended} "The container ended with exit code $code. What served before goes on serving."
      fi
    else
      away=yes
      await_engine
    fi
  fi
  if [ "$(date +%s)" -ge "$end" ]; then
    last_words
    fail ${deployExit.unhealthy} "The health check $path did not succeed within $seconds s. What served before goes on serving."
  fi
  nap 0.2
done
# From now on it starts with the server. Not unless-stopped: an engine that starts after a crash stops what still runs,
# and Docker 20.10 then takes that for a stop by hand.
engine docker update --restart always "$name" || { tell_said; fail ${deployExit.start} 'The container could not be made to start with the server.'; }
healthy=yes
note 'It is healthy.'
`;
