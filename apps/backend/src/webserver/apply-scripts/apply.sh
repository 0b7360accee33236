# Installs the file of a site, as site-changes.sh says.

: "${nginx_folder?}" "${file?}" "${root?}" "${expected?}" "${wanted?}" "${text?}"

. webserver/shell/site-changes.sh

apply_site
