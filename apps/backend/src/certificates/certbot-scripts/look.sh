# Reports `is`, `wrong`, `names`, `authenticator`, `webroot`, `hooks`. Changes nothing.

: "${certificate?}" "${known?}"

. certificates/certbot-scripts/lineage.sh

patience=1
certificate_name "$certificate"
look "$known"
report_look
note "${wrong:-Nothing prevents a certificate $name.}"
