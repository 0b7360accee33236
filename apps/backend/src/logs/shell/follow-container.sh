# Prints what a container has printed, and what it prints from now on, each line with its time. Ends after the container has
# stopped and runs again, or another one serves. `container` or `service`: which one. `known`: the id of the container
# whose lines up to the time `since` are known already, if any; of another one, all lines are new. `lines`: how many last lines
# to begin with. Before them, there is a line `word container id name`.

: "${container?}" "${service?}" "${known?}" "${since?}" "${lines?}" "${word?}"

. servers/shell/docker.sh
. logs/shell/lifeline.sh
. logs/shell/container.sh

lifeline
until find_container; do
  if [ -z "$service" ]; then
    cut_lifeline
    fail 2 "There is no container $container on this server."
  fi
  nap 2
done
cut_lifeline
printf '%s container %s %s\n' "$word" "$id" "$name"
if [ "$id" = "$known" ]; then set -- --since "$since"; else set -- --tail "$lines"; fi
${docker_as_root:+sudo -n} docker logs --timestamps --follow "$@" "$id" 2>&1 5<&- &
follower=$!
lifeline
wait "$follower"
cut_lifeline
follower=
lifeline
followed=$id
# The last line may lack its end.
printf '\n%s stopped\n' "$word"
while :; do
  if find_container; then
    if [ "$state" = running ]; then break; fi
  elif [ -z "$service" ]; then
    cut_lifeline
    fail 2 "The container $container was removed."
  fi
  nap 2
done
cut_lifeline
[ "$id" = "$followed" ] || printf '%s replaced\n' "$word"
# The shell would wait for more from us.
exit 0
