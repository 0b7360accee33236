/** Stops the previous version once its last requests are answered, and removes releases older than the kept ones. */
import { deployPrelude } from './prelude';

/**
 * Arguments: the folder of the service, the file of its proxy, the ids of service and release, how many served releases
 * to keep, and how many seconds the last requests may take.
 */
export const retireScript = String.raw`${deployPrelude}
base=$1
proxy=$2
service=$3
release=$4
keep=$5
drain=$6
await_engine

# This step may run again long after the deploy. It never stops the container that the proxy leads to now.
serving=$(port_of_proxy "$proxy")
look_at_containers "$service"
mine=$(printf '%s\n' "$containers" | awk -v release="$release" '$2 == release { print $3 }')
[ -n "$mine" ] && [ "$mine" = "$serving" ] || fail 1 'The proxy does not lead to this release any more. Nothing was stopped.'

await_last_requests "$proxy" "$drain"
look_at_containers "$service"
while read -r one other at; do
  [ -n "$at" ] && [ "$other" != "$release" ] || continue
  engine docker stop --time 30 "$one" || tell_said
  engine docker rm --force "$one" || tell_said
  # Its values stay in the vault only.
  rm -f "$base/$other/env"
  did "stopped the release $other"
done <<END
$containers
END
look_at_containers "$service"
case $containers in
  *'
'*) fail 1 'A container of an earlier release could not be removed. The new release serves; run this step again.' ;;
esac

touch "$base/$release"
kept=0
for one in $(ls -t "$base"); do
  if [ "$one" = "$release" ] || { [ -f "$base/$one/image" ] && [ "$kept" -lt $((keep - 1)) ]; }; then
    [ "$one" = "$release" ] || kept=$((kept + 1))
    continue
  fi
  image=$(cat "$base/$one/image" "$base/$one/unserved" 2>/dev/null)
  rm -rf "$base/$one"
  # Another release may have the same image.
  [ -z "$image" ] || cat "$base"/*/image 2>/dev/null | grep -q -x -F "$image" || free "$image"
  note "Removed the files of the release $one."
done
exit 0
`;
