# Renews an existing certificate with the names, authenticator and hooks that it has. Takes and reports as issue.sh does.

: "${certificate?}" "${known?}" "${ca_bundle?}" "${how_forced?}" "${deploy_hook?}"

. certificates/certbot-scripts/lineage.sh
. certificates/certbot-scripts/outcome.sh

certificate_name "$certificate"
trust "$ca_bundle"
there || fail "$exit_absent" "There is no certificate $name on this server."
as_expected "$known" adopt
force=
if forced "$how_forced"; then force=yes; set -- --force-renewal; else set --; fi
before=$(leaf)
note "Renewing the certificate $name if it is due."
run_certbot renew --cert-name "$name" --no-random-sleep-on-renew "$@" || explain
tell_outcome
report authenticator "$authenticator"
[ "$before" = "$(leaf)" ] || sh -c "$deploy_hook"
