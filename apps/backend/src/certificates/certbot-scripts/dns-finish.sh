# Lets an order in DNS go on. `verdict`: `go`, or why not. Reports as issue.sh does.

: "${certificate?}" "${verdict?}" "${exit_unproved?}" "${exit_gone?}"

. certificates/certbot-scripts/lineage.sh
. certificates/certbot-scripts/outcome.sh
. certificates/certbot-scripts/dns-orders.sh

certificate_name "$certificate"
dns_order
before=$(cat "$work/before" 2>/dev/null)
force=$(cat "$work/force" 2>/dev/null)
log_before=$(cat "$work/log" 2>/dev/null)
trap 'keep_from_timer; rm -rf "$work"' EXIT
trap cut_off HUP INT TERM
if [ "$verdict" != go ]; then
  tell_sent
  end_order
  report detail "$verdict"
  fail "$exit_unproved" "$verdict"
fi
[ -e "$work/code" ] || alive || {
  tell_sent
  detail='certbot no longer waits for the proof: the server was restarted, or half an hour has passed.'
  report detail "$detail"
  fail "$exit_gone" "$detail"
}
true >"$work/go"
until [ -e "$work/code" ] || ! alive; do nap 0.2; done
rm -f "$log"
log=$work/said
sed '/^Saving debug log to /d' "$log"
[ "$(cat "$work/code" 2>/dev/null)" = 0 ] || explain
tell_outcome
