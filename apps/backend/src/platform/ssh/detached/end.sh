# Ends running work, and permanently cancels work that has not started. Exit code 0: it has ended.

. platform/ssh/detached/places.sh

say at
find_work || {
  was_removed && exit 0
  make_base
  d=$base/$name
  (umask 077 && mkdir "$d") 2>/dev/null
}
if take_gate; then
  true >"$d/never"
  exit 0
fi
[ -e "$d/never" ] && exit 0
ended && exit 0
same_boot "$d" || exit 0
tries=20
until read_group "$d" || [ $tries = 0 ]; do
  nap 0.1
  tries=$((tries - 1))
done
running || exit 0
set -- "$group"
. platform/ssh/end-group.sh
