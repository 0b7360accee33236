# Removes the files of work that is not running. Exit code 1: it is running, or could not be removed.

. platform/ssh/detached/places.sh

umask 077
left=0
for base in "$at_home" "$elsewhere"; do
  ours "$base" || continue
  d=$base/$name
  if ! ended && read_group "$d" && same_boot "$d" && running; then
    left=1
    continue
  fi
  true >"$base/.done/$name" || left=1
  rm -rf "$d" || left=1
done
exit $left
