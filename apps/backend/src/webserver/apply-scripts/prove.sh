# Asks the site of a file for a text that only it has, at all addresses where nginx listens. Positional parameters: its other
# names. Reports `proof` (ours, another, silent, stopped, notAsked), `taken`: addresses with the files that take them, and
# `takenInside`: the same for loopback addresses, which visitors reach only through a proxy on this server. The other names
# are asked once each, where the main one answers. Changes nothing, and no finding is a failure.

: "${name?}" "${path?}" "${proof?}" "${file?}"

. webserver/shell/web-prelude.sh
. servers/shell/nginx-where-it-runs.sh
. webserver/apply-scripts/lock.sh
. webserver/apply-scripts/nginx-process.sh

find_nginx
have nginx || missing nginx
pid_file=
error_log=
store=
work=$(mktemp -d) || fail 73 'No temporary folder can be created on this server.'
trap 'rm -rf "$work"' EXIT
concluded() {
  report proof "$1"
  note "$2"
  exit 0
}
find_master || concluded stopped 'nginx does not run.'
there() { if [ -n "$container" ]; then in_container "$@" </dev/null; else "$@"; fi; }
tool=
for one in curl wget; do
  if [ -z "$tool" ] && there sh -c "command -v $one" >/dev/null 2>&1; then tool=$one; fi
done
[ -n "$tool" ] || concluded notAsked 'Neither curl nor wget is installed to ask the site with.'
# $1: plain or tls, $2: address, $3: port
asked() {
  case $tool:$1 in
    curl:plain) there curl -q -g -s --noproxy '*' --max-time 5 -H "Host: $name" "http://$2:$3$path" ;;
    curl:tls) there curl -q -g -s -k --noproxy '*' --max-time 5 --resolve "$name:$3:$2" "https://$name:$3$path" ;;
    wget:plain) there wget -q -T 5 -O - --header "Host: $name" "http://$2:$3$path" ;;
    *) return 0 ;;
  esac 2>/dev/null | head -c 4096 | tr -d '\0\r\n'
}
# Of the output of `nginx -T`: address, `tls` or `plain`, and file of each `listen`.
nginx -T 2>/dev/null | awk '
  /^# configuration file .*:$/ { file = substr($0, 22); sub(/:$/, "", file); text = ""; next }
  {
    sub(/#.*/, "")
    gsub(/["\047]/, "")
    text = text " " $0
    while (match(text, /[;{}]/)) {
      count = split(substr(text, 1, RSTART - 1), word, " ")
      text = substr(text, RSTART + 1)
      if (word[1] != "listen" || word[2] ~ /^unix:/) continue
      how = "plain"
      for (i = 3; i <= count; i++) if (word[i] == "ssl") how = "tls"
      address = word[2]
      if (address ~ /^[0-9]+$/) address = "*:" address
      else if (address !~ /:[0-9]+$/ || address ~ /\]$/) address = address ":80"
      sub(/^0\.0\.0\.0:/, "*:", address)
      print address, how, file
    }
  }' | sort -u >"$work/listens"
# Addresses of this server, for a listen without one.
outside=$({ ip -o -4 addr show scope global | awk '{ sub(/\/.*/, "", $4); print $4 }'; } 2>/dev/null)
[ -n "$outside" ] || outside=$(hostname -I 2>/dev/null | tr ' ' '\n' | grep -v :)
# An address of nginx is a star.
set -f
answer=
taken=
taken_inside=
# The ports of our own file, and at each of them all addresses.
awk -v "ours=/$file" 'substr($3, length($3) - length(ours) + 1) == ours { sub(/^.*:/, "", $1); print $1, $2 }' "$work/listens" | sort -u >"$work/ports"
while read -r port how; do
  v6=$(awk -v "ours=/$file" -v "port=:$port" '$1 ~ /^\[/ && index($1, port) && substr($3, length($3) - length(ours) + 1) == ours' "$work/listens")
  awk -v "port=:$port" 'substr($1, length($1) - length(port) + 1) == port { sub(/:[0-9]+$/, "", $1); print $1 }' "$work/listens" | sort -u >"$work/addresses"
  # shellcheck disable=SC2167
  for address in $(head -n 32 "$work/addresses"); do
    listen=$address:$port
    inside=
    case $address in
      '[::]') candidates='[::1]' ;;
      \*)
        # Addresses of another listen are asked on their own.
        # shellcheck disable=SC2086
        candidates=$(printf '%s\n' $outside 127.0.0.1 | grep -v -x -F -f "$work/addresses" | head -n 4)
        [ -n "$candidates" ] || continue
        ;;
      *)
        candidates=$address
        case $address in 127.* | '[::1]' | localhost) inside=yes ;; esac
        ;;
    esac
    # Visitors of a site without IPv6 know no such address.
    case $listen in '['*) [ -n "$v6" ] || continue ;; esac
    if [ "$tool:$how" = wget:tls ]; then continue; fi
    said=
    # shellcheck disable=SC2165
    for address in $candidates; do
      [ -n "$said" ] || said=$(asked "$how" "$address" "$port")
    done
    if [ "$said" = "$proof" ]; then
      note "Our file answers at $address, port $port."
      [ -n "$answer" ] || answer=ours
      main=$name
      for name in "$@"; do
        [ "$(asked "$how" "$address" "$port")" = "$proof" ] && continue
        what="$address, port $port for $name"
        note "Another site answers at $what."
        case $inside in
          yes) taken_inside="$taken_inside$([ -z "$taken_inside" ] || printf '; ')$what" ;;
          *)
            answer=another
            taken="$taken$([ -z "$taken" ] || printf '; ')$what"
            ;;
        esac
      done
      name=$main
      continue
    fi
    files=$(awk -v "listen=$listen" -v "ours=/$file" '$1 == listen && substr($3, length($3) - length(ours) + 1) != ours { print $3 }' "$work/listens" | sort -u | head -n 3 | tr '\n' ' ' | sed 's/ $//')
    what="$address, port $port$([ -z "$files" ] || printf ' (%s)' "$files")"
    if [ -z "$said" ]; then
      note "Nothing answers for $name at $what."
      [ -n "$inside" ] || [ "$answer" = another ] || answer=silent
      continue
    fi
    note "Another site answers for $name at $what."
    case $inside in
      yes) taken_inside="$taken_inside$([ -z "$taken_inside" ] || printf '; ')$what" ;;
      *)
        answer=another
        taken="$taken$([ -z "$taken" ] || printf '; ')$what"
        ;;
    esac
  done
done <"$work/ports"
report taken "$taken"
report takenInside "$taken_inside"
concluded "$(printf '%s' "$answer" | grep . || echo notAsked)" 'The site was asked at the addresses of nginx.'
