# Settles a cancelled deploy: if the proxy already points to the new version and that answers, it serves; otherwise the previous
# version does so again, and the remains of the new version are removed. The cancel may have ended the swap at any line. Reports
# `port` and `network` as start.sh does if the release serves. `drain`: how many seconds the last requests of the previous version
# may take, `watch_seconds`: how long the previous version stays beside one that serves, at least; the others as in retire.sh.

: "${nginx_folder?}" "${root?}" "${drain?}" "${watch_seconds?}" "${base?}" "${proxy?}" "${service?}" "${release?}" "${keep?}"
: "${name?}" "${inside?}" "${path?}" "${seconds?}"

. deploys/deploy-scripts/prelude.sh
. deploys/deploy-scripts/watch.sh
. deploys/deploy-scripts/switch.sh

find_nginx_container
folder=$base/$release
await_engine
# nginx runs what the file of the proxy says.
[ ! -f "$proxy" ] || put_proxy "$(cat "$proxy" && echo .)" || exit
# As it was recorded for the container, which may be gone.
port=$(sed -n 's/^HOST_PORT=//p' "$folder/.env" 2>/dev/null)
look
crashes_before=${crashes:-0}
serves=
if [ -n "$port" ] && [ "$port" = "$(port_of_proxy "$proxy")" ]; then
  if watch "$watch_seconds" "$drain"; then serves=yes
  else
    note "The proxy already leads to the new container, but $why"
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
note 'The proxy already leads to the new container: it serves.'
report port "$port"
if [ -n "$container" ]; then
  look_at "$container" '{{.HostConfig.NetworkMode}}'
  [ "$said" = host ] || report network "$said"
fi
. deploys/deploy-scripts/retire-work.sh
