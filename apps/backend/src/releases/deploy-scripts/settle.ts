/**
 * Settles a cancelled deploy: if the proxy already points to the new version, that version serves; otherwise its
 * remains are removed. The cancel may have ended the swap at any line.
 */
import { NGINX_CONTAINER } from '../../servers';
import { applyScript, sha256Functions } from '../../webserver';
import { clientPrelude, tidyScript } from './client';
import { deployPrelude } from './prelude';
import { retireScript } from './retire';

/** Needs $sites, $proxy and $root: the folder of sites, the file of the proxy, and the root folder. */
const runAsItIs = String.raw`${sha256Functions}
# nginx runs what the file says.
if [ -f "$proxy" ]; then
  (
    umask 022
    text=$(cat "$proxy" && echo .)
    set -- "$sites" "${'${proxy##*/}'}" "$root" '*' "$(sha256_of "$proxy")" "${'${text%.}'}"
${applyScript}
  ) || exit
fi
`;

/**
 * Arguments: those of `retireScript`, and then the name of the container, the folder of sites and the root folder.
 * Reports `port` and `network` as `startScript` does if the release serves.
 */
export const settleScript = String.raw`${deployPrelude}
base=$1
proxy=$2
release=$4
name=$7
sites=$8
root=$9
folder=$base/$release
await_engine
${runAsItIs}
port=$(label "$name" port)
if [ -z "$port" ] || [ "$port" != "$(port_of_proxy "$proxy")" ]; then
  [ -z "$port" ] || await_last_requests "$proxy" "$6"
  docker rm --force "$name" >/dev/null 2>&1
  rm -f "$folder/env"
  mv -f "$folder/image" "$folder/unserved" 2>/dev/null
  note 'The proxy does not lead to the new container. The previous version keeps serving.'
  exit 0
fi
note 'The proxy leads to the new container already: it serves.'
report port "$port"
network=$(docker container inspect --format '{{.HostConfig.NetworkMode}}' ${NGINX_CONTAINER} 2>/dev/null)
case $network in
  '' | host) ;;
  *) report network "$network" ;;
esac
${retireScript}
`;

/**
 * Arguments: those of `tidyScript`, and then the file of the proxy, the folder of sites and the root folder. Reports
 * `files` as `swapScript` does if the version serves.
 */
export const settleClientScript = String.raw`${clientPrelude}
name=$1
keep=$2
proxy=$3
sites=$4
root=$5
${runAsItIs}
rm -f "$base/.next"
case $(readlink "$base/current")/ in
  "$name"/*) ;;
  *)
    note 'The link does not lead to the new version. The previous version keeps serving.'
    exit 0
    ;;
esac
note 'The link leads to the new version already: it serves.'
report files "$base/current"
touch "$base/$name.served"
set -- "$base" "$name" "$keep"
${tidyScript}
`;
