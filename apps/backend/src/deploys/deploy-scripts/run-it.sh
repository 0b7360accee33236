# The arguments of `run_it` are names and values of variables. Values of several lines are passed in the environment of the
# command, because the file has one line for each. Their names may be those of variables here, so the whole command is built first,
# and nothing else is read once the first one is exported.

run_it() (
  pairs=$#
  set -- "$@" - docker run --detach --name "$name" ${network:+--network "$network"} --env "PORT=$inside" --env-file "$folder/env" \
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
