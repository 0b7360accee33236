# What a site needs to resolve the names of its upstreams per request: the name servers of the server, and the addresses of
# those names that no name server knows.
#
# In: work with the candidate, store, container, live.

: "${docker_resolver?}" "${exit_refused?}"

# The addresses that /etc/hosts has for the name $1.
in_hosts() { awk -v name="$1" '{ sub(/#.*/, ""); for (i = 2; i <= NF; i++) if (tolower($i) == tolower(name) && $1 !~ /:/) { print $1; exit } }' /etc/hosts; }
# Whether the server knows the name, or nginx has a group of upstreams with it.
is_known() {
  [ -n "$container" ] || ! have getent || getent ahosts "$1" >/dev/null 2>&1 ||
    nginx -T 2>/dev/null | grep -q -E "^[[:space:]]*upstream[[:space:]]+[\"']?$1[\"']?[[:space:]]*\{"
}
names_of() { sed -n 's/^[[:space:]]*set $qd_name "*\([A-Za-z0-9._-]*\)"*;$/\1/p' "$1" 2>/dev/null | sort -u; }

# Of all sites, because /etc/hosts may have changed since theirs were written.
write_names() {
  names=${store%/nginx}/logs/.names
  [ -d "$names" ] || [ -n "$(names_of "$work/candidate")" ] || return 0
  (umask 022 && mkdir -p "$names") || fail 73 "$names cannot be created."
  if [ -n "$container" ]; then servers=$docker_resolver
  else servers=$(awk '$1 == "nameserver" && $2 !~ /%/ { printf "%s ", ($2 ~ /:/ ? "[" $2 "]" : $2); if (++n == 3) exit }' /etc/resolv.conf 2>/dev/null)
  fi
  how=
  grep -q -s ' 00 ..  *[^ ]*$' /proc/net/if_inet6 || how=' ipv6=off'
  if [ -n "$servers" ]; then printf 'resolver %s valid=30s%s;\nresolver_timeout 5s;\n' "${servers% }" "$how" >"$names/resolver.conf"; else rm -f "$names/resolver.conf"; fi
  # shellcheck disable=SC2012
  for name in $({ names_of "$work/candidate"; ls "$names" | sed -n 's/^host-\(.*\)\.conf$/\1/p'; } | sort -u); do
    address=
    [ -n "$container" ] || address=$(in_hosts "$name")
    case $name in
      *.*) ;;
      # nginx does not complete short names with the domains of resolv.conf.
      *) [ -n "$address" ] || [ -n "$container" ] || ! have getent || address=$(getent ahostsv4 "$name" 2>/dev/null | awk '{ print $1; exit }') ;;
    esac
    if [ -n "$address" ]; then printf 'set $qd_name %s;\n' "$address" >"$names/host-$name.conf"; else rm -f "$names/host-$name.conf"; fi
  done
  for name in $(names_of "$work/candidate"); do
    if ! is_known "$name" && ! names_of "$live" | grep -q -x -F -e "$name"; then
      report error "host not found in upstream \"$name\""
      report errorFile "$live"
      report errorLine "$(grep -n -F "set \$qd_name \"$name\"" "$work/candidate" | head -n 1 | cut -d : -f 1)"
      fail "$exit_refused" "The name $name cannot be resolved on this server. Nothing was changed."
    fi
  done
}
