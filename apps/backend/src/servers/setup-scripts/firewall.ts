import { setupPrelude } from './setup-prelude';

/** Reads the output of nft or iptables-save, and reports whether a port is admitted: 'open', 'closed' or 'unclear'. */
const ruleReader = String.raw`
# Reads 'nft list ruleset': chains that hook input, their policy, and rules that accept or drop by port.
nft_verdict() {
  nft list ruleset 2>/dev/null | awk -v port="$1" '
    function names_port(text, list, count, i, range) {
      if (!match(text, /tcp dport (\{[^}]*\}|[0-9-]+)/)) return 0
      list = substr(text, RSTART + 10, RLENGTH - 10)
      gsub(/[{} ]/, "", list)
      count = split(list, list_of, ",")
      for (i = 1; i <= count; i++) {
        if (split(list_of[i], range, "-") == 2) { if (port + 0 >= range[1] + 0 && port + 0 <= range[2] + 0) return 1 }
        else if (list_of[i] + 0 == port + 0) return 1
      }
      return 0
    }
    /^[ \t]*chain / { inside = 0 }
    /type filter hook input/ { inside = 1; if (/policy drop/) { dropping = 1 } }
    inside && names_port($0) && / accept/ { accepted = 1 }
    inside && names_port($0) && / (drop|reject)/ { refused = 1 }
    inside && !/ (dport|sport|saddr|daddr|iifname|iif|state|protocol|type) / && /^[ \t]*(counter [^;]* )?(drop|reject)/ { dropping = 1 }
    inside && / (jump|goto) / { elsewhere = 1 }
    END {
      if (refused) print "closed"
      else if (accepted || (!dropping && !elsewhere)) print "open"
      else if (elsewhere) print "unclear"
      else print "closed"
    }'
}

iptables_verdict() {
  iptables -S INPUT 2>/dev/null | awk -v port="$1" '
    function names_port(i, count, j, range) {
      for (i = 1; i < NF; i++) if ($i == "--dport" || $i == "--dports") {
        count = split($(i + 1), list_of, ",")
        for (j = 1; j <= count; j++) {
          if (split(list_of[j], range, ":") == 2) { if (port + 0 >= range[1] + 0 && port + 0 <= range[2] + 0) return 1 }
          else if (list_of[j] + 0 == port + 0) return 1
        }
      }
      return 0
    }
    $1 == "-P" && $3 == "DROP" { dropping = 1 }
    names_port() && $NF == "ACCEPT" { accepted = 1 }
    names_port() && ($NF == "DROP" || / -j REJECT/) { refused = 1 }
    $1 == "-A" && NF == 4 && ($4 == "DROP" || $4 == "REJECT") { dropping = 1 }
    $1 == "-A" && / -j / && !/ -j (ACCEPT|DROP|REJECT|LOG|RETURN)/ { elsewhere = 1 }
    END {
      if (refused) print "closed"
      else if (accepted || (!dropping && !elsewhere)) print "open"
      else if (elsewhere) print "unclear"
      else print "closed"
    }'
}
`;

const namedFirewalls = String.raw`
ufw_verdict() {
  if ufw status verbose 2>/dev/null | grep -q '^Default: allow (incoming)'; then
    echo open
    return
  fi
  ufw status 2>/dev/null | awk -v port="$1" '
    function covers(to, count, i, list, range) {
      sub(/\/tcp$/, "", to)
      count = split(to, list, ",")
      for (i = 1; i <= count; i++) {
        if (split(list[i], range, ":") == 2) { if (port + 0 >= range[1] + 0 && port + 0 <= range[2] + 0) return 1 }
        else if (list[i] == port) return 1
      }
      return (port == 22 && to ~ /^(OpenSSH|SSH)$/) ||
        (port == 80 && to ~ /^(Nginx|Apache|WWW) ?(Full|HTTP)?$/) || (port == 443 && to ~ /^(Nginx|Apache|WWW) (Full|HTTPS|Secure)$/)
    }
    match($0, /  +(ALLOW|LIMIT|DENY|REJECT)/) {
      to = substr($0, 1, RSTART - 1)
      if (to ~ /\(v6\)/ || !/Anywhere/ || !covers(to)) next
      if (/  (ALLOW|LIMIT)/) { if (!refused) accepted = 1 } else if (!accepted) refused = 1
    }
    END { if (accepted) print "open"; else print "closed" }'
}

firewalld_verdict() {
  case $1 in
    80) service=http ;;
    443) service=https ;;
    22) service=ssh ;;
    *) service= ;;
  esac
  if firewall-cmd -q --query-port="$1/tcp" || { [ -n "$service" ] && firewall-cmd -q --query-service="$service"; }; then echo open; else echo closed; fi
}
`;

/** $1: the port of SSH. Changes nothing: opening a port is a separate decision. */
export const firewallScript = String.raw`${setupPrelude}${ruleReader}${namedFirewalls}
ssh_port=$1
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
  note 'No firewall is active on this server. One in front of it cannot be seen from here.'
  report firewall none
  exit 0
fi

note "Firewall: $name. Nothing of it is changed."
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
    *) note "Whether port $port is open cannot be told from the rules." ;;
  esac
done
[ -z "$closed" ] || report closedPorts "$(printf '%s' "$closed" | sed 's/^ //')"
`;
