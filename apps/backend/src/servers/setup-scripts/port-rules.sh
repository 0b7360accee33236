# Reads the output of nft or iptables, and reports whether a port is admitted: 'open', 'closed' or 'unclear'.

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
