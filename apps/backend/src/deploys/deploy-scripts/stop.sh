# `file`: the name of the file of the proxy in the folder of sites.

: "${base?}" "${service?}" "${nginx_folder?}" "${file?}" "${root?}"

. deploys/deploy-scripts/prelude.sh
. webserver/shell/site-changes.sh

await_engine
(
  umask 022
  expected='*'
  remove_site
) || exit

look_at_containers "$service"
while read -r one other _; do
  [ -n "$one" ] || continue
  engine docker stop --time 30 "$one" || tell_said
  engine docker rm --force "$one" || { tell_said; fail 1 'The container could not be removed. Run this step again.'; }
  did "stopped the release $other"
done <<END
$containers
END
images=$(cat "$base"/*/image "$base"/*/unserved 2>/dev/null | sort -u)
rm -rf "$base" || fail 73 "$base cannot be removed."
for image in $images; do free "$image"; done
note 'Its proxy, containers and files were removed.'
