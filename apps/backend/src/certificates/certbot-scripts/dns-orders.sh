# An order in DNS while certbot waits. Goes after lineage.sh.

: "${register=}"
dns_order() {
  work=$letsencrypt/quarterdeck-dns/$name
  logs=${logs:-/var/log/letsencrypt}/quarterdeck-$name
  certbot_log=$logs/letsencrypt.log
}
# Whether certbot is still at work. Its process leads a group, which includes the hook.
alive() {
  group=$(cat "$work/pid" 2>/dev/null)
  [ -n "$group" ] && tr '\0' ' ' <"/proc/$group/cmdline" 2>/dev/null | grep -q -F "/quarterdeck-dns/$name/"
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
# After a cancel, dns-stop.sh looks for what is left here.
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
  grep -q '^manual_auth_hook = .*/quarterdeck-dns/' "$renewal" 2>/dev/null || return 0
  grep -q '^autorenew = False' "$renewal" || sed -i '/^\[renewalparams\]/a autorenew = False' "$renewal"
}
