# Begins an order whose names are proved in DNS. certbot asks for the TXT records and waits, while the console writes them through its
# provider: no secret of the provider comes to the server. It runs outside of the steps, so it survives from one to the next. Takes
# what issue.sh does. Reports `challenge1` ...: a name and the text of its TXT record. Without one, the authority remembers the
# proofs, or the certificate is not due.

: "${certificate?}" "${ordered?}" "${email?}" "${directory?}" "${key_type?}" "${ca_bundle?}" "${how_forced?}"
: "${register?}" "${known?}" "${auth_hook_script?}"

. certificates/certbot-scripts/lineage.sh
. certificates/certbot-scripts/outcome.sh
. certificates/certbot-scripts/dns-orders.sh

certificate_name "$certificate"
trust "$ca_bundle"
force=
how=--keep-until-expiring
if forced "$how_forced"; then force=yes how=--force-renewal; fi
as_expected "$known" own
# The renewal file gets another way of proof only with another certificate.
case $authenticator in '' | manual) ;; *) how=--force-renewal ;; esac
dns_order
end_order
have setsid || missing setsid
(umask 077 && mkdir -p "$work") || fail 73 "$work cannot be created."
trap cut_off HUP INT TERM
leaf >"$work/before"
printf '%s' "$force" >"$work/force"
printf '#!/bin/sh\n%s' "$auth_hook_script" >"$work/auth" && chmod 700 "$work/auth" || fail 73 "$work cannot be written."

set -- --cert-name "$name" --renew-with-new-domains --domain "$(comma_list "$ordered")" --manual --preferred-challenges dns --manual-auth-hook "$work/auth" \
  --no-autorenew --logs-dir "$logs"
. certificates/certbot-scripts/authority.sh
note "Asking $directory for a certificate of $ordered."
# Otherwise certbot takes an existing certificate as never due.
[ -z "$auth_hook" ] || sed -i '/^autorenew = False/d' "$renewal"
tries=0
while :; do
  log_before=$(stat -c '%i %s' "$certbot_log" 2>/dev/null)
  printf '%s' "$log_before" >"$work/log"
  rm -f "$work/code"
  setsid sh -c 'work=$0; echo $$ >"$work/pid"; certbot certonly "$@" --non-interactive >"$work/said" 2>&1; echo $? >"$work/code.new"; mv "$work/code.new" "$work/code"' "$work" "$@" </dev/null >/dev/null 2>&1 &
  until [ -e "$work/waiting" ] || [ -e "$work/code" ] || ! kill -0 $! 2>/dev/null; do nap 0.2; done
  grep -q 'Another instance of Certbot is already running' "$work/said" || break
  tries=$((tries + 1))
  [ "$tries" -lt "$patience" ] || { end_order; keep_from_timer; fail 75 "Another certbot is running on this server$(lock_holder). Try again when it has ended."; }
  [ "$tries" != 1 ] || note "Another certbot is running on this server$(lock_holder). Waiting up to five minutes for it."
  nap 5
done
keep_from_timer
[ "$register" != new ] || settle_accounts
if [ -e "$work/waiting" ]; then
  number=0
  while read -r domain text; do
    number=$((number + 1))
    report "challenge$number" "$domain $text"
    note "The authority wants a TXT record _acme-challenge.$domain."
  done <"$work/asked"
fi
