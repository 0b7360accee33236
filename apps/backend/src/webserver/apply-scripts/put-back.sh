# Restores the earlier file of a site, as site-changes.sh says. `text` may be empty.

: "${nginx_folder?}" "${file?}" "${root?}" "${expected?}" "${wanted?}" "${text?}"

. webserver/shell/site-changes.sh

put_back_site
