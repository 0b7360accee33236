/** Stops the previous version, and removes releases older than the kept ones. */
import { deployExit, deployPrelude } from './prelude';
import { watchFunctions } from './watch';

/**
 * The folder of the service, the file of its proxy, the ids of service and release, how many served releases to keep,
 * the name of the container, the port of the service, and path and seconds of the health check.
 */
export const retireArguments = String.raw`base=$1
proxy=$2
service=$3
release=$4
keep=$5
name=$6
inside=$7
path=$8
seconds=$9
folder=$base/$release
`;

/** Goes after `watchFunctions` and the arguments. */
export const retireWork = String.raw`
# This step may run again long after the deploy. It never stops the container that the proxy leads to now.
port=$(port_of_proxy "$proxy")
look_at_containers "$service"
mine=$(printf '%s\n' "$containers" | awk -v release="$release" '$2 == release { print $3 }')
[ -n "$mine" ] && [ "$mine" = "$port" ] || fail 1 'The proxy does not lead to this release any more. Nothing was stopped.'

look
crashes_before=${'${crashes:-0}'}
still_well() { become_well "$seconds" && site_answers; }
keep_old() { fail ${deployExit.unhealthy} "$why The version before it was not removed: go back to it, or deploy again."; }
while read -r one other at; do
  [ -n "$at" ] && [ "$other" != "$release" ] || continue
  still_well || keep_old
  engine docker stop --time 30 "$one" || tell_said
  if ! still_well; then
    engine docker start "$one" || tell_said
    keep_old
  fi
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
rm -f "$folder/before"

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

/** Arguments: `retireArguments`. */
export const retireScript = `${deployPrelude}${retireArguments}${watchFunctions}
await_engine
${retireWork}`;
