# Follows work that was started before.

: "${from?}"

. platform/ssh/detached/places.sh
. platform/ssh/detached/follow.sh

find_work
follow
exit 0
