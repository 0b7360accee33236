# Shared parts of the scripts of a deploy. Each script finds out from the server how far the deploy came, so it may run again after
# it was killed at any line.

: "${exit_architecture?}"

. servers/shell/telling.sh
. deploys/deploy-scripts/room.sh

have docker || missing docker
umask 077

# Set when the engine went away: containers may have ended with it.
away=
answers() { docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }
# The engine may just be restarting.
await_engine() {
  answers && return 0
  note 'The engine does not answer. Waiting for it.'
  away=yes
  waited=0
  until answers; do
    waited=$((waited + 1))
    [ "$waited" -le 90 ] || fail 69 'The engine does not answer. Start docker on the server.'
    sleep 1
  done
  note 'The engine answers again.'
}
# True if the engine went away during the command that failed with the message $1, even if it answers again.
went_away() {
  case $1 in
    *'annot connect to the Docker daemon'* | *'rror during connect'*) away=yes ;;
    *) false ;;
  esac
}
# Runs a command of the engine, and again when the engine went away meanwhile. Its output is in $said.
engine() {
  engine_tries=0
  while :; do
    said=$("$@" 2>&1) && return 0
    code=$?
    answers && ! went_away "$said" && return "$code"
    engine_tries=$((engine_tries + 1))
    [ "$engine_tries" -lt 5 ] || return "$code"
    await_engine
  done
}
tell_said() { printf '%s\n' "$said" | tail -n 5 | sed 's/^/  /' >&2; }

# Where the proxy of a service leads to, by its file.
port_of_proxy() { sed -n 's,.*proxy_pass http://127\.0\.0\.1:\([0-9]*\);.*,\1,p' "$1" 2>/dev/null; }
no_engine() {
  tell_said
  fail 69 'The engine does not answer. Start docker on the server.'
}
# Sets said to the line that the engine says about the container $1 in the format $2; empty if there is no such
# container. Never empty because the engine is away: the container that serves would look like none.
look_at() {
  if engine docker container inspect --format "$2" "$1"; then
    # Warnings come first.
    said=$(printf '%s\n' "$said" | tail -n 1)
    return
  fi
  case $said in
    *'o such container'*) said= ;;
    *) no_engine ;;
  esac
}
# Sets containers to id, release and port of each container of a service. In one look: an engine that goes away between
# two would make the container that serves look like another one.
look_at_containers() {
  engine docker ps --all --no-trunc --filter "label=quarterdeck.service=$1" --format '{{.ID}} {{.Label "quarterdeck.release"}} {{.Label "quarterdeck.port"}}' || no_engine
  containers=$said
}
# Whether the process $1 has an open connection that came in at one of the ports $2, in hexadecimal with spaces around.
is_asked_at() {
  # shellcheck disable=SC2012
  ls -l "/proc/$1/fd" 2>/dev/null | sed -n 's/.*socket:\[\([0-9]*\)\]$/\1/p' |
    awk -v ports="$2" 'FILENAME == "-" { mine[$1]; next } $4 == "01" && $10 in mine && index(ports, " " substr($2, length($2) - 3) " ") { found = 1; exit } END { exit !found }' - "/proc/$1/net/tcp" 2>/dev/null
}
# nginx's old workers end when their last request is answered. Only requests to the service count, at all ports of its
# proxy, whose files are the arguments: those of others, such as WebSockets, may go on for days.
draining() {
  at=' '
  # shellcheck disable=SC2013
  for one in $(sed -n 's,.*listen 127\.0\.0\.1:\([0-9]*\);.*,\1,p' "$@" 2>/dev/null); do at="$at$(printf '%04X' "$one") "; done
  # shellcheck disable=SC2013
  for one in $(grep -s -x -l nginx /proc/[0-9]*/comm | cut -d / -f 3); do
    case $({ tr '\0' ' ' <"/proc/$one/cmdline"; } 2>/dev/null) in
      'nginx: worker process is shutting down'*) ! is_asked_at "$one" "$at" || return 0 ;;
    esac
  done
  return 1
}
# For at most $2 seconds.
await_last_requests() {
  end=$(($(date +%s) + $2))
  while draining "$1"; do
    if [ "$(date +%s)" -ge "$end" ]; then
      note "Requests to the earlier release are still under way after $2 s. They are cut off."
      return
    fi
    nap 0.2
  done
}
# Ends the script if a program, whose words are $1, cannot run on the processor of this server.
refuse_architecture() {
  case $1 in
    *'xec format error'* | *'no matching manifest for'*)
      fail "$exit_architecture" "The image is not built for the processor of this server, which is $(docker version --format '{{.Server.Os}}/{{.Server.Arch}}' 2>/dev/null)."
      ;;
  esac
}
# Removes the image $1 with the tags that its repository gave it: they keep it, too.
free() {
  for one_tag in $(docker image inspect --format '{{range .RepoTags}}{{println .}}{{end}}' "$1" 2>/dev/null | awk -v at="${1%@*}:" 'index($0, at) == 1'); do
    docker image rm "$one_tag" >/dev/null 2>&1
  done
  docker image rm "$1" >/dev/null 2>&1
}
