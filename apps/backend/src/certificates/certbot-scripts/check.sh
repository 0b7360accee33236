# Fails unless the order may be placed. `expected`: `own` or `adopt`.

: "${certificate?}" "${known?}" "${expected?}"

. certificates/certbot-scripts/lineage.sh

certificate_name "$certificate"
as_expected "$known" "$expected"
if [ "$is" = none ]; then note "There is no certificate $name on this server yet."; else note "The certificate $name is in order: it is for $names."; fi
