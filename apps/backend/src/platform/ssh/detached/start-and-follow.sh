# Starts the work unless somebody already has, and follows it. Positional parameters: those of `begin`.

: "${from?}" "${sweeps?}"

. platform/ssh/detached/places.sh
. platform/ssh/detached/start.sh
. platform/ssh/detached/follow.sh

launched=
begin "$@"
follow
if [ -n "$launched" ] && [ "$sweeps" = yes ]; then sweep "$base" </dev/null >/dev/null 2>&1 5<&- & fi
exit 0
