/**
 * Settles a cancelled deploy: if the proxy already points to the new version and that answers, it serves; otherwise
 * what served before does so again, and the remains of the new version are removed. The cancel may have ended the swap
 * at any line.
 */
import { clientPrelude, siteFunctions, tidyScript } from './client';
import { deployPrelude } from './prelude';
import { retireArguments, retireWork } from './retire';
import { switchFunctions } from './switch';
import { WATCH_SECONDS, watchFunctions } from './watch';

/** nginx runs what the file of the proxy says. */
const runAsItIs = '[ ! -f "$proxy" ] || put_proxy "$(cat "$proxy" && echo .)" || exit';

/**
 * Arguments: the folder of sites, the root folder, how many seconds the last requests of the previous version may take,
 * and then `retireArguments`. Reports `port` and `network` as `startScript` does if the release serves.
 */
export const settleScript = String.raw`${deployPrelude}
sites=$1
root=$2
drain=$3
shift 3
${retireArguments}${watchFunctions}
${switchFunctions}
await_engine
${runAsItIs}
# As it was recorded for the container, which may be gone.
port=$(sed -n 's/^HOST_PORT=//p' "$folder/.env" 2>/dev/null)
look
crashes_before=${'${crashes:-0}'}
serves=
if [ -n "$port" ] && [ "$port" = "$(port_of_proxy "$proxy")" ]; then
  if watch ${WATCH_SECONDS} "$drain"; then serves=yes
  else
    note "The proxy leads to the new container already, but $why"
    switch_back || exit
  fi
fi
if [ -z "$serves" ]; then
  await_last_requests "$proxy" "$drain"
  engine docker rm --force "$name" >/dev/null
  rm -f "$folder/env"
  mv -f "$folder/image" "$folder/unserved" 2>/dev/null
  note 'The proxy does not lead to the new container. The previous version keeps serving.'
  exit 0
fi
note 'The proxy leads to the new container already: it serves.'
report port "$port"
if [ -n "$container" ]; then
  look_at "$container" '{{.HostConfig.NetworkMode}}'
  [ "$said" = host ] || report network "$said"
fi
${retireWork}`;

/**
 * Arguments: those of `tidyScript`, and then the file of the proxy, the folder of sites, the root folder, and port and
 * path of the service. Reports `files` as `swapScript` does if the version serves.
 */
export const settleClientScript = String.raw`${clientPrelude}
name=$1
keep=$2
proxy=$3
sites=$4
root=$5
port=$6
path=$7
${switchFunctions}
${siteFunctions}
${runAsItIs}
rm -f "$base/.next"
serves=
case $(readlink "$base/current")/ in
  "$name"/*)
    if site_answers; then serves=yes
    else
      note "nginx does not answer at http://127.0.0.1:$port$path with the new version."
      put_back
    fi
    ;;
esac
if [ -z "$serves" ]; then
  note 'The link does not lead to the new version. The previous version keeps serving.'
  exit 0
fi
note 'The link leads to the new version already: it serves.'
report files "$base/current"
touch "$base/$name.served"
set -- "$base" "$name" "$keep"
${tidyScript}
`;
