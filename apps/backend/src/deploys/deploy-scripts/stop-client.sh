# `file`: the name of the file of the proxy in the folder of sites.

: "${base?}" "${nginx_folder?}" "${file?}" "${root?}"

. deploys/deploy-scripts/client-prelude.sh
. webserver/shell/site-changes.sh

(
  expected='*'
  remove_site
) || exit
rm -rf "$base" || fail 73 "$base cannot be removed."
note 'Its proxy and its files were removed.'
