/** Removes the proxy of a service, and then its containers, files and images. */
import { removeScript } from '../../webserver';
import { deployPrelude } from './prelude';

/**
 * Arguments: the folder of the service, its id, the folder of sites, the name of its proxy file, and the root folder.
 */
export const stopScript = String.raw`${deployPrelude}
base=$1
service=$2
sites=$3
proxy_file=$4
root=$5
await_engine
(
  umask 022
  set -- "$sites" "$proxy_file" "$root" '*' -
${removeScript}
) || exit

look_at_containers "$service"
while read -r one other _; do
  [ -n "$one" ] || continue
  engine docker stop --time 30 "$one" || tell_said
  engine docker rm --force "$one" || { tell_said; fail 1 'The container could not be removed. Run this step again.'; }
  did "stopped the release $other"
done <<END
$containers
END
images=$(cat "$base"/*/image "$base"/*/unserved 2>/dev/null | sort -u)
rm -rf "$base" || fail 73 "$base cannot be removed."
for image in $images; do free "$image"; done
note 'Its proxy, containers and files are gone.'
`;
