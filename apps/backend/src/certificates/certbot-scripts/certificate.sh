# Reports `certificate`, `folder`, `server`. Changes nothing. `known`: the known names.

: "${certificate?}" "${known?}"

. certificates/certbot-scripts/lineage.sh

certificate_name "$certificate"
there || fail "$exit_absent" "There is no certificate $name on this server."
as_expected "$known" adopt
report_certificate
report authenticator "$authenticator"
note "The certificate of $name is in $lineage. It is for $names."
