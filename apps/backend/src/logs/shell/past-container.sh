# Prints what a container has printed, each line with its time. `since`, `until`: times, or empty. `lines`: how many last
# lines, without a time to begin with. Before them, there is a line `word container id name`.

: "${container?}" "${service?}" "${since?}" "${until?}" "${lines?}" "${search?}" "${any_case?}" "${max_bytes?}" "${word?}"

. servers/shell/docker.sh
. logs/shell/container.sh
. logs/shell/matching.sh

find_container || fail 2 "There is no container ${container:-of this service} on this server."
set --
if [ -n "$since" ]; then set -- --since "$since"; elif [ -z "$search" ]; then set -- --tail "$lines"; fi
if [ -n "$until" ]; then set -- "$@" --until "$until"; fi
printf '%s container %s %s\n' "$word" "$id" "$name"
dock logs --timestamps "$@" "$id" 2>&1 | matching
exit 0
