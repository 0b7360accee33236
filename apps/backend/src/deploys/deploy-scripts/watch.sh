# Judges a container by the answers of the engine and of the container itself, never by its labels: it may have ended, or the
# engine may have ended it, at any line of a script.
#
# Goes after prelude.sh. In: name, port and folder of the container, path and seconds of the health check, inside: the port of the
# service. What failed is in $bad, an exit code, and in $why, a sentence.

: "${exit_ended?}" "${exit_unhealthy?}" "${exit_image_unhealthy?}"

. servers/shell/nginx-container.sh
. deploys/deploy-scripts/asking.sh

# A container that runs but does not answer for so long while it is watched has failed.
silent_seconds=10
# How much longer than the health check of the service that of the image may take, as its interval may be long.
image_seconds=600
crashes_before=0
# Sets state, code, crashes and health of the container; all are empty if there is none.
look() {
  look_at "$name" '{{.State.Status}}|{{.State.ExitCode}}|{{.RestartCount}}|{{with .State.Health}}{{.Status}}{{end}}'
  IFS='|' read -r state code crashes health <<END
$said
END
}
runs_on() { [ "$state" = running ] && [ "$crashes" -le "$crashes_before" ]; }
# Whether it runs and has not crashed since, is healthy if its image has a health check, and answers.
well() {
  look
  runs_on || return 1
  case $health in
    '' | none | healthy) asks ;;
    *) false ;;
  esac
}
# Whether the site answers: nginx at the port of the service, with what the container answers.
site_answers() {
  enter_network
  own_port=$port
  port=$inside
  asks
  set -- $?
  port=$own_port
  in_network=
  return "$1"
}
# A restart of the engine ends the container, unless it starts with the engine. False if the engine was not restarted. If a
# socket starts the engine, questions only wait for it, but its pid file is new.
engine_took_it() {
  [ -n "$away" ] || [ /var/run/docker.pid -nt "$folder/image" ] || return 1
  away=
  touch "$folder/image"
  engine docker start "$name" || tell_said
  look
  crashes_before=${crashes:-0}
}
ended() {
  bad="$exit_ended"
  case $state in
    '') why='The container is gone.' ;;
    running) why='The container ended and was restarted.' ;;
    *) why="The container ended with exit code $code." ;;
  esac
}
silent() {
  bad="$exit_unhealthy"
  why="The health check $path did not succeed$1."
  case $health in
    starting | unhealthy)
      bad="$exit_image_unhealthy"
      why="The image's own health check did not succeed$1: it says $health."
      ;;
  esac
}
# For at most $1 seconds.
become_well() {
  end=$(($(date +%s) + $1))
  until well; do
    now=$(date +%s)
    if engine_took_it; then end=$((now + $1))
    elif ! runs_on; then
      ended
      return 1
    # The image's check may come much later than ours.
    elif [ "$now" -ge "$end" ] && { [ "$health" != starting ] || [ "$now" -ge $((end + image_seconds)) ] || ! asks; }; then
      silent " within $1 s"
      return 1
    fi
    nap 0.2
  done
}
# Until the last requests of the previous version are answered, for $1 to $2 seconds. They may have come in at a port
# that the proxy has given up with the switch.
watch() {
  note 'Watching the new version before the previous one is removed.'
  watched_from=$(date +%s)
  silent_since=
  while :; do
    now=$(date +%s)
    if well && site_answers; then
      silent_since=
      if [ "$now" -ge $((watched_from + $1)) ] && { [ "$now" -ge $((watched_from + $2)) ] || ! draining "$proxy" "$folder/before"; }; then return 0; fi
    elif engine_took_it; then become_well "$seconds" || return 1
    elif ! runs_on; then
      ended
      return 1
    elif [ -z "$silent_since" ]; then silent_since=$now
    elif [ "$now" -ge $((silent_since + silent_seconds)) ]; then
      silent " for $silent_seconds s"
      return 1
    fi
    nap 0.5
  done
}
