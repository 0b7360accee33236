# Checks on the server itself whether nginx serves a proof file from the folder. From outside, another server might
# answer. Arguments: the names in one word, separated by spaces, the folder, an action, and a token of letters, digits, - and _, which is also the
# proof's content. Actions: `check` cleans up afterwards, `place` leaves the file for a look from outside, `take`
# removes it. Reports `status`, and of the first name that answers
# differently `name` and `answer` (the first 200 characters).

: "${names?}" "${webroot?}" "${action?}" "${token?}" "${exit_silent?}" "${exit_another?}"

. servers/shell/telling.sh

case $token in
  '' | *[!A-Za-z0-9_-]*) fail 2 'The token may contain only letters, digits, - and _.' ;;
esac
proofs=$webroot/.well-known/acme-challenge
proof=$proofs/$token

if [ "$action" = take ]; then
  rm -f "$proof" || fail 73 "$proof cannot be removed."
  exit 0
fi
[ "$action" != check ] || trap 'rm -f "$proof"' EXIT
trap 'exit 143' HUP INT TERM
[ -d "$webroot" ] || fail 2 "There is no folder $webroot."
# nginx reads it as an account of its own.
(umask 022 && mkdir -p "$proofs" && printf '%s' "$token" >"$proof") || fail 73 "$proof cannot be written."

url=http://127.0.0.1/.well-known/acme-challenge/$token
for name in $names; do
  if have curl; then
    answer=$(curl -q -s --noproxy '*' --max-time 10 -H "Host: $name" -w '\nstatus %{http_code}' "$url" 2>/dev/null)
    status=$(printf '%s\n' "$answer" | sed -n '$ s/^status //p')
    answer=$(printf '%s\n' "$answer" | sed '$ d')
  elif have wget; then
    answer=$(wget -q -T 10 -O - --header "Host: $name" "$url" 2>/dev/null)
    case $? in
      0) status=200 ;;
      *) status=$(wget -S -T 10 -O /dev/null --header "Host: $name" "$url" 2>&1 | sed -n 's,^ *HTTP/[0-9.]* \([0-9][0-9][0-9]\).*,\1,p' | head -n 1) ;;
    esac
  else
    missing curl
  fi
  case $status in
    '' | 000) fail "$exit_silent" "Nothing answers on port 80 of this server for $name." ;;
  esac
  report status "$status"
  if [ "$answer" != "$token" ]; then
    report name "$name"
    report answer "$(printf '%s' "$answer" | tr '\n' ' ' | cut -c 1-200)"
    fail "$exit_another" "For $name, nginx does not serve the file in $proofs, but answers with HTTP $status."
  fi
done
note "For $names, nginx serves the files in $proofs."
