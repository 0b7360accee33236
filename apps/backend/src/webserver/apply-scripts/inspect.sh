# Checks an upstream from the server: name, port, answer. Reports `finding` (answered, silent, unreachable, unresolved),
# `addresses` separated by spaces, `address`, `connectMs`, `answerMs`, `status`, `verified` (yes or no, for https), `error`. A
# bad finding is not a failure: the exit code is 0. Changes nothing. `how`: an option for curl, or nothing.

: "${scheme?}" "${host?}" "${port?}" "${path?}" "${socket?}" "${how?}"

. webserver/shell/web-prelude.sh

[ -z "$socket" ] || how="--unix-socket $socket"
bare=$(printf '%s' "$host" | tr -d '[]')
say_ms() { awk -v seconds="$1" 'BEGIN { printf "%.0f", seconds * 1000 }'; }
found() {
  report finding "$1"
  [ -z "$2" ] || report error "$2"
  note "$3"
  exit 0
}

if [ -n "$socket" ]; then
  [ -S "$socket" ] || found unreachable "There is no socket $socket." "There is no socket $socket on this server."
  addresses=$socket
elif have getent; then
  addresses=$(getent ahosts "$bare" | awk '{ print $1 }')
else
  addresses=$(nslookup "$bare" 2>/dev/null | sed -n '/^Name/,$ s/^Address[ 0-9]*: *\([^ ]*\).*/\1/p')
fi
addresses=$(printf '%s\n' "$addresses" | grep . | sort -u | tr '\n' ' ' | sed 's/ $//')
if [ -z "$addresses" ]; then
  case $bare in
    *[!0-9.:a-fA-F]*) found unresolved "The name $bare is not known on the server." "The name $bare is not known on this server." ;;
    *) addresses=$bare ;;
  esac
fi
report addresses "$addresses"
[ -n "$socket" ] || note "$bare is $addresses."

if have curl; then
  # shellcheck disable=SC2086
  answer=$(curl -q -g -s -S -k --noproxy '*' $how -o /dev/null --connect-timeout 5 --max-time 15 \
    -w '\nseen %{http_code} %{time_connect} %{time_total} %{ssl_verify_result} %{remote_ip}\n' "$scheme://$host:$port$path" 2>&1)
  code=$?
  said=$(printf '%s\n' "$answer" | sed -n 's/^curl: ([0-9]*) //p' | head -n 1)
  # shellcheck disable=SC2046
  set -- $(printf '%s\n' "$answer" | sed -n 's/^seen //p')
  connected=$2
  case $code:$connected in
    7:* | 28:0.000000) found unreachable "$said" "Port $port does not answer: $said" ;;
  esac
  [ -z "$5" ] || report address "$5"
  # Not told when what came after the connection failed.
  if [ "$connected" != 0.000000 ]; then
    report connectMs "$(say_ms "$connected")"
    place=$socket
    [ -n "$place" ] || place="$5, port $port"
    note "Connected to $place, in $(say_ms "$connected") ms."
  fi
  [ "$1" != 000 ] || found silent "$said" "There is no answer over $scheme: $said"
  report answerMs "$(say_ms "$3")"
  if [ "$scheme" = https ]; then
    verified=no
    [ "$4" != 0 ] || verified=yes
    report verified "$verified"
  fi
  status=$1
elif [ -z "$how" ] && have wget; then
  # Some of them try again and again.
  if have timeout; then patience='timeout 20'; else patience=; fi
  answer=$($patience wget -S -T 10 -O /dev/null "$scheme://$host:$port$path" 2>&1)
  code=$?
  [ "$code" -lt 126 ] || fail "$code" "wget failed with exit code $code."
  status=$(printf '%s\n' "$answer" | sed -n 's,^.*HTTP/[0-9.]* \([0-9][0-9][0-9]\).*,\1,p' | head -n 1)
  if [ -z "$status" ]; then
    said=$(printf '%s\n' "$answer" | grep -i -E 'wget: |failed|refused|timed out' | tail -n 1 | sed 's/^wget: //')
    case $said in
      *onnect* | *efused* | *nreachable*) found unreachable "$said" "Port $port does not answer: $said" ;;
      *) found silent "$said" "There is no answer over $scheme: $said" ;;
    esac
  fi
else
  missing curl
fi
report status "$status"
found answered '' "It answers with $status."
