# `name`: the version's folder in the folder `base` of the service, `served`: the folder in the package that is served, `file`: the
# name of the file of the proxy in the folder of sites, `wanted` and `text`: its SHA-256 and text. The proxy is the same for every
# version. The link is swapped last, and atomically.

: "${base?}" "${name?}" "${served?}" "${port?}" "${path?}" "${nginx_folder?}" "${file?}" "${root?}"
: "${wanted?}" "${text?}" "${exit_unhealthy?}"

. deploys/deploy-scripts/client-prelude.sh
. webserver/shell/site-changes.sh
. deploys/deploy-scripts/client-site.sh

target=$name${served:+/$served}
(
  expected='*'
  apply_site
) || exit

find_nginx_container
# If the new version fails, whichever step notices it goes back to the version that serves now.
[ "$(readlink "$base/current")" = "$target" ] || keep_version
trap 'put_back; exit 143' HUP INT TERM
lead_to "$target" || fail 73 "$base/current cannot be written."
report files "$base/current"
if ! site_answers; then
  put_back
  fail "$exit_unhealthy" "nginx does not answer at http://127.0.0.1:$port$path with the files in $base."
fi
# It serves: a cancel comes too late.
trap '' HUP INT TERM
touch "$base/$name.served"
did "pointed $base/current to $target"
