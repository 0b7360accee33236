import { endGroupScript } from '../remote-shell';

/** Ends running work, and permanently cancels work that has not started. Exit code 0: it has ended. */
export const end = `
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
${endGroupScript}`;

/** Removes the files of work that is not running. Exit code 1: it is running, or could not be removed. */
export const clean = `
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
`;
