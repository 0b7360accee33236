# `base`: the folder of the service, `proxy`: the file of its proxy, `service` and `release`: their ids, `keep`: how many releases that
# served to keep, `name`: of the container, `inside`: the port of the service, `path` and `seconds` of the health check.

: "${base?}" "${proxy?}" "${service?}" "${release?}" "${keep?}" "${name?}" "${inside?}" "${path?}"
: "${seconds?}"

. deploys/deploy-scripts/prelude.sh
. deploys/deploy-scripts/watch.sh

find_nginx_container
folder=$base/$release
await_engine
. deploys/deploy-scripts/retire-work.sh
