# The same for firewalls that have names for services.

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
