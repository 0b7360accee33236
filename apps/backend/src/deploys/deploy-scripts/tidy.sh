# `name`: the folder of the serving version, `keep`: how many versions that served to keep.

: "${base?}" "${name?}" "${keep?}"

. deploys/deploy-scripts/client-prelude.sh

. deploys/deploy-scripts/tidy-work.sh
