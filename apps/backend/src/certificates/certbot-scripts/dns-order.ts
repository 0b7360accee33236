/**
 * An order whose names are proved in DNS. certbot asks for the TXT records and waits, while the console writes them through
 * its provider: no secret of the provider comes to the server. Three scripts: one begins the order and ends when certbot
 * waits, one lets it go on, and one ends it. certbot runs outside of the steps, so that it survives from one to the next.
 */
import { challengeName, type TextRecord } from '../../dns';
import { certbotExit } from './certbot-prelude';
import { asWords, lineageName, ofAuthority, outcome, type CertificateOrder } from './issue';
import { DNS_FOLDER, lineagePrelude } from './lineage';

/** certbot holds its lock while it waits, so other certificates of the server wait too. */
const LONGEST_WAIT_SECONDS = 1800;

/** certbot runs it once for each name. The last one waits for the file `go`. Without single quotes: it is written in them. */
const authHook = String.raw`#!/bin/sh
cd "$(dirname "$0")" || exit 1
# Only for the order that wrote it.
[ "$(cut -d " " -f 5 "/proc/$$/stat")" = "$(cat pid)" ] || exit 1
printf "%s %s\n" "$CERTBOT_DOMAIN" "$CERTBOT_VALIDATION" >>asked
# An old certbot does not say how many are left.
case $CERTBOT_REMAINING_CHALLENGES in "" | 0) ;; *) exit 0 ;; esac
true >waiting
left=${LONGEST_WAIT_SECONDS}
while [ ! -e go ]; do
  left=$((left - 1))
  # certbot would have the names checked, whatever a hook says.
  [ "$left" -gt 0 ] || kill -- "-$(cat pid)"
  sleep 1
done
`;

const paused = `
dns_order() {
  work=$letsencrypt${DNS_FOLDER}/$name
  logs=\${logs:-/var/log/letsencrypt}/quarterdeck-$name
  certbot_log=$logs/letsencrypt.log
}
# Whether certbot is still at work. Its process leads a group, which includes the hook.
alive() {
  group=$(cat "$work/pid" 2>/dev/null)
  [ -n "$group" ] && tr '\\0' ' ' <"/proc/$group/cmdline" 2>/dev/null | grep -q -F "${DNS_FOLDER}/$name/"
}
halt() {
  alive || return 0
  kill -- "-$group" 2>/dev/null
  tries=20
  while alive && [ "$tries" -gt 0 ]; do tries=$((tries - 1)); nap 0.2; done
  ! alive || kill -KILL -- "-$group" 2>/dev/null
}
end_order() {
  halt
  rm -rf "$work"
}
# After a cancel, the third script looks for what is left here.
cut_off() {
  trap - EXIT
  [ "$log" = "$work/said" ] || rm -f "$log"
  tell_sent
  halt
  keep_from_timer
  [ "$register" != new ] || settle_accounts
  exit 143
}
# certbot does not renew it by itself: it could not prove the names.
keep_from_timer() {
  grep -q '^manual_auth_hook = .*${DNS_FOLDER}/' "$renewal" 2>/dev/null || return 0
  grep -q '^autorenew = False' "$renewal" || sed -i '/^\\[renewalparams\\]/a autorenew = False' "$renewal"
}
`;

/**
 * Arguments: `dnsOrderArguments`. Reports `challenge1` ...: a name and the text of its TXT record. Without one, the
 * authority remembers the proofs, or the certificate is not due.
 */
export const dnsOrderScript = `${lineagePrelude}${outcome}${paused}
certificate_name "$1"
ordered=$2
email=$3
directory=$4
key_type=$5
trust "$6"
force=
how=--keep-until-expiring
if forced "$7"; then force=yes how=--force-renewal; fi
register=$8
as_expected "$9" own
# The renewal file gets another way of proof only with another certificate.
case $authenticator in '' | manual) ;; *) how=--force-renewal ;; esac
dns_order
end_order
have setsid || missing setsid
(umask 077 && mkdir -p "$work") || fail 73 "$work cannot be created."
trap cut_off HUP INT TERM
leaf >"$work/before"
printf '%s' "$force" >"$work/force"
printf '%s' '${authHook}' >"$work/auth" && chmod 700 "$work/auth" || fail 73 "$work cannot be written."

set -- --cert-name "$name" --renew-with-new-domains --domain "$(comma_list "$ordered")" --manual --preferred-challenges dns --manual-auth-hook "$work/auth" \\
  --no-autorenew --logs-dir "$logs"
${ofAuthority}
note "Asking $directory for a certificate of $ordered."
# certbot believes of an existing certificate that it is never due.
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
  [ "$tries" -lt "$patience" ] || { end_order; keep_from_timer; fail 75 "Another certbot is at work on this server$(lock_holder). Try again when it has ended."; }
  [ "$tries" != 1 ] || note "Another certbot is at work on this server$(lock_holder). Waiting for it, up to five minutes."
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
`;

/**
 * Arguments: the lineage, and `go`, or why not. Reports as `issueScript` does.
 */
export const dnsFinishScript = `${lineagePrelude}${outcome}${paused}
certificate_name "$1"
dns_order
before=$(cat "$work/before" 2>/dev/null)
force=$(cat "$work/force" 2>/dev/null)
log_before=$(cat "$work/log" 2>/dev/null)
trap 'keep_from_timer; rm -rf "$work"' EXIT
trap cut_off HUP INT TERM
if [ "$2" != go ]; then
  tell_sent
  end_order
  report detail "$2"
  fail ${certbotExit.unproved} "$2"
fi
[ -e "$work/code" ] || alive || {
  tell_sent
  detail='certbot no longer waits for the proof: the server was restarted, or half an hour was over.'
  report detail "$detail"
  fail ${certbotExit.gone} "$detail"
}
true >"$work/go"
until [ -e "$work/code" ] || ! alive; do nap 0.2; done
rm -f "$log"
log=$work/said
sed '/^Saving debug log to /d' "$log"
[ "$(cat "$work/code" 2>/dev/null)" = 0 ] || explain
tell_outcome
`;

/** Argument: the lineage. Ends an order that is under way, if there is one. Reports `wasted`. */
export const dnsStopScript = `${lineagePrelude}${paused}
certificate_name "$1"
dns_order
[ -d "$work" ] || { note 'No order is under way.'; exit 0; }
log_before=$(cat "$work/log" 2>/dev/null)
tell_sent
end_order
keep_from_timer
note 'The order was ended.'
`;

export const dnsOrderArguments = (
  order: Omit<CertificateOrder, 'webroot'> & { names: readonly string[]; known: readonly string[] },
): string[] => [
  lineageName(order),
  asWords(order.names),
  order.email ?? '-',
  order.directoryUrl,
  order.keyType ?? 'ecdsa',
  order.caBundle ?? '-',
  order.force ? 'force' : '-',
  order.newAccount ? 'new' : '-',
  asWords(order.known),
];

/** What the authority wants to find in DNS. */
export const challengesIn = (report: Record<string, string>): TextRecord[] =>
  Object.entries(report).flatMap(([name, value]) => {
    const [, domain, text] = /^(\S+) (\S+)$/.exec(value) ?? [];
    return /^challenge\d+$/.test(name) && domain !== undefined && text !== undefined
      ? [{ name: challengeName(domain), text }]
      : [];
  });
