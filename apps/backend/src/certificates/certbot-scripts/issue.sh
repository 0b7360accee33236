# Orders a certificate. `certificate`: its name, `ordered` and `known`: names separated by spaces, `email` and `ca_bundle`: `-` for
# none, `how_forced`: `force` or `-`, `register`: `new` or `-`. Reports `state` issued, renewed or kept, `certificate` (the leaf's DER
# in base64), `folder`, `server`; on failure `problem`, `detail`, `retryAfter`. `wasted`: issued or sent, if the authority took the
# order but the site got no certificate.

: "${certificate?}" "${ordered?}" "${webroot_of_site?}" "${email?}" "${directory?}" "${key_type?}"
: "${ca_bundle?}" "${how_forced?}" "${register?}" "${known?}"

. certificates/certbot-scripts/lineage.sh
. certificates/certbot-scripts/outcome.sh

certificate_name "$certificate"
trust "$ca_bundle"
[ -d "$webroot_of_site" ] || fail 2 "The folder for the proof, $webroot_of_site, does not exist."
force=
how=--keep-until-expiring
if forced "$how_forced"; then force=yes how=--force-renewal; fi
as_expected "$known" own
before=$(leaf)

# The renewal file gets another way of proof only with another certificate.
[ "$authenticator" != manual ] || how=--force-renewal
set -- --cert-name "$name" --renew-with-new-domains --domain "$(comma_list "$ordered")" --webroot --webroot-path "$webroot_of_site"
. certificates/certbot-scripts/authority.sh
note "Asking $directory for a certificate of $ordered."
run_certbot certonly "$@"
code=$?
[ "$register" != new ] || settle_accounts
[ "$code" = 0 ] || explain
tell_outcome
