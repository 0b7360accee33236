# Starts the new container next to the old one, switches the proxy to it, and watches it. Takes it back if it fails.
#
# `image`: by its digest, `first`: the first port to try on the server, `compose`: the compose file, `environment`: the environment
# file, `nginx_folder`: the folder of sites, `proxy_text`: the proxy with port 0 in place of the container's, `in_network_text`: the
# same for an nginx in a container; the others as in retire.sh and settle.sh. Positional parameters: name and value of each
# multi-line variable. Reports `port`, at which the container answers on the server, `network`, the network of nginx's container,
# `why` a version was taken back, and the values that apply.sh reports.

: "${base?}" "${proxy?}" "${service?}" "${release?}" "${name?}" "${image?}" "${inside?}" "${first?}"
: "${path?}" "${seconds?}" "${compose?}" "${environment?}" "${nginx_folder?}" "${root?}" "${proxy_text?}"
: "${in_network_text?}" "${drain?}" "${watch_seconds?}" "${exit_start?}" "${exit_taken_back?}"

. deploys/deploy-scripts/prelude.sh
. deploys/deploy-scripts/watch.sh
. deploys/deploy-scripts/switch.sh
. deploys/deploy-scripts/run-it.sh

find_nginx_container
folder=$base/$release
port=

# Also when the run is cancelled. The proxy tells whether the container serves, whatever an earlier attempt did.
remove_it() {
  [ -n "$port" ] || port=$(sed -n 's/^HOST_PORT=//p' "$folder/.env" 2>/dev/null)
  [ -n "$port" ] && [ "$(port_of_proxy "$proxy")" != "$port" ] || return 0
  engine docker rm --force "$name" >/dev/null 2>&1
  rm -f "$folder/env"
  # It is not one of the releases that are kept to go back to.
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
mkdir -p "$folder" || fail 73 "$folder cannot be created."

# Remains of an earlier deploy that ended before the proxy led to its container. Without a proxy, it is unknown which
# container serves.
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


look_at "$name" '{{index .Config.Labels "quarterdeck.port"}}'
port=$said
earlier=$port
look
if [ -n "$port" ] && [ "$state" = running ]; then
  note "The container $name already runs."
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
    fail "$exit_start" 'The container could not be started. Any previous version keeps serving.'
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
# From now on it starts with the server. Not unless-stopped: after a crash, a starting engine stops the containers that still
# run, and Docker 20.10 takes that for a stop by hand.
engine docker update --restart always "$name" || { tell_said; fail "$exit_start" 'The container could not be set to start with the server.'; }
# An engine that was restarted before that has not started it again.
await_health
note 'It is healthy.'

# nginx tests the new proxy with all sites, and swaps it without losing a request.
# An earlier attempt may have come that far.
case $(port_of_proxy "$proxy") in
  "$port" | "${earlier:-$port}") ;;
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

watch "$watch_seconds" "$drain" && exit 0
last_words
report why "$why"
note "$why Going back to the previous version."
trap : HUP INT TERM
switch_back || exit
await_last_requests "$proxy" "$drain"
fail "$exit_taken_back" "$why The new version was taken back."
