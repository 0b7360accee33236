# Goes after lineage.sh.

: "${exit_wasted?}"

: "${directory=}" "${register=}"
place=
# Also for a cancelled order.
trap 'tell_sent; exit 143' HUP INT TERM
# Ends an order that brings the site no certificate. $1: why, in a sentence.
wasted() {
  report problem wasted
  report detail "$1"
  fail "$exit_wasted" "$1"
}
# After certbot reported success. before: the leaf as it was; force: whether it had to change.
tell_outcome() {
  read_order
  saved=$(grep -o '/[^ ]*/fullchain\.pem' "$log" | head -n 1)
  [ -z "$issued" ] || [ "$issued" = "$(leaf)" ] || report wasted issued
  if [ -n "$saved" ] && [ "$saved" != "$lineage/fullchain.pem" ]; then
    report path "$saved"
    wasted "certbot stored the certificate in ${saved%/*}, but the site uses $lineage: it keeps its old certificate."
  fi
  there || wasted "certbot reported success, but there is no certificate in $lineage."
  [ -z "$issued" ] || [ "$issued" = "$(leaf)" ] || wasted "The authority issued a certificate, but $lineage contains another one."
  if [ -z "$before" ]; then
    report state issued
    did "issued a certificate for $name"
  elif [ "$before" != "$(leaf)" ]; then
    report state renewed
    did "renewed the certificate of $name"
  elif [ -n "$force" ]; then
    wasted "certbot was told to replace the certificate in $lineage, and did not."
  else
    report state kept
    note "The certificate of $name is not due. It is left unchanged."
  fi
  report_certificate
}
# Accounts that the authority has forgotten are kept in a folder beside those that certbot uses.
accounts() { ls "$letsencrypt/accounts/$place" 2>/dev/null; }
put_accounts_aside() {
  aside=$letsencrypt/accounts.forgotten/$place
  forgotten=$(accounts)
  mkdir -p "$aside" && chmod 700 "$letsencrypt/accounts.forgotten" || fail 73 "$aside cannot be created."
  for account in $forgotten; do
    rm -rf "${aside:?}/$account" && mv "$letsencrypt/accounts/$place/$account" "$aside/" || fail 73 "The account $account cannot be moved to $aside."
  done
}
# All certificates of the server that used a forgotten account use the new one. Without a new one, the forgotten ones are
# restored.
settle_accounts() {
  [ -n "$forgotten" ] || return 0
  fresh=$(accounts | head -n 1)
  for account in $forgotten; do
    if [ -n "$fresh" ]; then
      sed -i "s/^account = $account$/account = $fresh/" "$letsencrypt"/renewal/*.conf 2>/dev/null
    else
      mv "$aside/$account" "$letsencrypt/accounts/$place/"
    fi
  done
  [ -z "$fresh" ] || did "registered a new account at $directory"
  forgotten=
}
