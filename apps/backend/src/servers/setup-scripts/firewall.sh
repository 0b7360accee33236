# Changes nothing: opening a port is a separate decision.

: "${ssh_port?}"

. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/port-rules.sh
. servers/setup-scripts/named-firewalls.sh

if have ufw && ufw status 2>/dev/null | grep -q '^Status: active'; then
  name=ufw
  advice='ufw allow'
  verdict() { ufw_verdict "$1"; }
elif have firewall-cmd && firewall-cmd -q --state 2>/dev/null; then
  name=firewalld
  advice='firewall-cmd --permanent --add-port'
  verdict() { firewalld_verdict "$1"; }
elif have nft && nft list ruleset 2>/dev/null | grep -q 'hook input'; then
  name=nftables
  verdict() { nft_verdict "$1"; }
elif have iptables && iptables -S INPUT 2>/dev/null | grep -q -v -x -e '-P INPUT ACCEPT'; then
  name=iptables
  verdict() { iptables_verdict "$1"; }
else
  note 'No firewall is active on this server. A firewall in front of the server cannot be detected from here.'
  report firewall none
  exit 0
fi

note "Firewall: $name. Its rules are not changed."
report firewall "$name"
closed=
for port in 80 443 "$ssh_port"; do
  case $(verdict "$port") in
    open) note "Port $port is open." ;;
    closed)
      closed="$closed $port"
      case $name in
        ufw) warn "Port $port is closed. To open it: $advice $port/tcp" ;;
        firewalld) warn "Port $port is closed. To open it: $advice=$port/tcp && firewall-cmd --reload" ;;
        *) warn "Port $port is closed." ;;
      esac
      ;;
    *) note "The rules do not tell whether port $port is open." ;;
  esac
done
[ -z "$closed" ] || report closedPorts "$(printf '%s' "$closed" | sed 's/^ //')"
