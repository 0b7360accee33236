# Removes a certificate. `theirs`: what to do with a certificate that the console did not make: `delete`, `leave` or `-`, which
# refuses. Without `force`, refuses if a site uses the certificate, because nginx could not start without it. Reports `state` removed,
# already or left, `usedBy`.

: "${certificate?}" "${known?}" "${nginx_folder?}" "${how_forced?}" "${theirs?}" "${exit_in_use?}"
: "${exit_failed?}"

. certificates/certbot-scripts/lineage.sh

certificate_name "$certificate"
if forced "$how_forced"; then force=yes; else force=; fi
look "$known"
case $is,$theirs in
  theirs,leave | broken,leave)
    report state left
    note "$wrong It is left unchanged."
    exit 0
    ;;
  theirs,delete | ours,* | none,*) ;;
  theirs,*) report_look; fail "$exit_theirs" "$wrong Nothing was removed." ;;
  *) report_look; fail "$exit_broken" "$wrong Nothing was removed: certbot cannot remove it. Remove it by hand, or leave it there." ;;
esac
uses() { awk -v lineage="$lineage/" '{ sub(/#.*/, "") } index($0, lineage) { found = 1 } END { exit !found }' "$1"; }
users=
for site in "$nginx_folder"/*.conf; do
  if [ -f "$site" ] && uses "$site"; then users="$users $site"; fi
done
if [ -n "$users" ]; then
  report usedBy "${users# }"
  [ -n "$force" ] || fail "$exit_in_use" "The certificate $name is in use:$users. nginx would not start without it. Nothing was removed."
  warn "nginx cannot start as long as a site names it:$users."
fi
if [ "$is" = none ]; then
  report state already
  note "There is no certificate $name on this server."
  exit 0
fi
run_certbot delete --cert-name "$name" || fail "$exit_failed" "certbot could not remove the certificate $name."
[ ! -e "$renewal" ] && [ ! -e "$lineage" ] || fail "$exit_failed" "certbot reported that it removed the certificate $name, but $lineage still exists."
report state removed
did "removed the certificate of $name"
