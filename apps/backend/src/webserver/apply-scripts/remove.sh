# Removes the file of a site, as site-changes.sh says.

: "${nginx_folder?}" "${file?}" "${root?}" "${expected?}"

. webserver/shell/site-changes.sh

remove_site
