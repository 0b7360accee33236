# Runs certbot and reports the result. certbot's own messages are of little use on failure: version 2.1 hides a refused order behind
# "AttributeError: can't set attribute". The answer of the authority is in its log.

: "${exit_too_many?}" "${exit_refused?}" "${exit_unreachable?}" "${exit_failed?}"

. servers/shell/telling.sh

have certbot || missing certbot
many_files
log=$(mktemp) || fail 73 'No temporary file can be written on this server.'
trap 'rm -f "$log"' EXIT
trap 'exit 143' HUP INT TERM
letsencrypt=/etc/letsencrypt

# What is set on the server for every call of certbot. $1: the option.
setting() {
  cat "$letsencrypt/cli.ini" "${XDG_CONFIG_HOME:-$HOME/.config}/letsencrypt/cli.ini" 2>/dev/null |
    sed -n "s/^[[:space:]]*$1[[:space:]]*[=:[:space:]][[:space:]]*//p" | sed 's/[[:space:]]*$//' | tr -d "\"'" | tail -n 1
}
logs=$(setting logs-dir)
certbot_log=${logs:-/var/log/letsencrypt}/letsencrypt.log

certificate_name() {
  case $1 in
    '' | -* | .* | *[!a-z0-9._-]*) fail 2 "$1 cannot be the name of a certificate." ;;
  esac
  name=$1
  lineage=$letsencrypt/live/$1
  renewal=$letsencrypt/renewal/$1.conf
  archive=$letsencrypt/archive/$1
}
# Of the leaf, as a file of PEM has it between its first two lines.
leaf() { [ ! -r "$lineage/cert.pem" ] || sed -n '/^-----BEGIN CERTIFICATE-----/,/^-----END CERTIFICATE-----/p' "$lineage/cert.pem" | sed '/^-----/d' | tr -d '\r\n'; }
there() { [ -f "$renewal" ] && [ -r "$lineage/cert.pem" ]; }
report_certificate() {
  report certificate "$(leaf)"
  report folder "$lineage"
  report server "$(sed -n 's/^server = //p' "$renewal" 2>/dev/null)"
}

# $1: a bundle of authorities to trust beside nobody else, or '-' for those of the server.
trust() {
  unset REQUESTS_CA_BUNDLE CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR
  if [ "$1" != - ]; then
    [ -r "$1" ] || fail 2 "The bundle of certificate authorities $1 cannot be read."
    REQUESTS_CA_BUNDLE=$1
    export REQUESTS_CA_BUNDLE
  fi
}
forced() {
  case $1 in
    force | -) ;;
    *) fail 2 "The parameter force must be 'force' or '-', not $1." ;;
  esac
  [ "$1" = force ]
}

# Who has locked certbot's folder, in words: its process and what it was called with.
lock_holder() {
  inode=$(stat -c %i "$letsencrypt/.certbot.lock" 2>/dev/null) || return 0
  holder=$(awk -v inode=":$inode" 'index($6 "$", inode "$") { print $5; exit }' /proc/locks 2>/dev/null)
  [ -z "$holder" ] || printf ' (process %s: %s)' "$holder" "$(tr '\0\n' '  ' <"/proc/$holder/cmdline" 2>/dev/null | cut -c 1-120 | sed 's/ *$//')"
}
# Who listens on a port, in words.
port_holder() {
  have ss || return 0
  ss -Hltnp "sport = :$1" 2>/dev/null | sed -n 's/.*users:(("\([^"]*\)",pid=\([0-9]*\).*/ Port '"$1"' is in use by \1 (process \2)./p' | head -n 1
}

# certbot with the arguments, without questions. What it says goes to $log and, unless it is to be quiet, to the reader.
quiet=
patience=60
run_certbot() {
  tries=0
  while :; do
    log_before=$(stat -c '%i %s' "$certbot_log" 2>/dev/null)
    # In the background: a trap that ends an order has only seconds, and does not wait for a program in the foreground.
    certbot "$@" --non-interactive >"$log" 2>&1 </dev/null &
    wait $!
    code=$?
    [ -n "$quiet" ] || sed '/^Saving debug log to /d' "$log"
    grep -q 'Another instance of Certbot is already running' "$log" || return "$code"
    tries=$((tries + 1))
    [ "$tries" -lt "$patience" ] || fail 75 "Another certbot is running on this server$(lock_holder). Try again when it has ended."
    [ "$tries" != 1 ] || note "Another certbot is running on this server$(lock_holder). Waiting up to five minutes for it."
    nap 5
  done
}

# What the last run wrote to its log: what was appended, or all of a new file.
new_log() {
  first=1
  if [ "${log_before% *}" = "$(stat -c %i "$certbot_log" 2>/dev/null)" ]; then first=$((${log_before#* } + 1)); fi
  tail -c "+$first" "$certbot_log" 2>/dev/null
}

# Extracts the last problem from the ACME messages of certbot's log: type, Retry-After and detail, one per line.
last_problem() {
  awk '
  # Of one answer of the authority to the next.
  /Received response:$/ { wait = nonce = "" }
  tolower($1) == "retry-after:" { sub(/^[^:]*:[ \t]*/, ""); sub(/\r$/, ""); wait = $0 }
  /"type": "urn:ietf:params:acme:error:/ {
    sub(/.*"type": "urn:ietf:params:acme:error:/, "")
    sub(/".*/, "")
    type = $0
    next
  }
  type != "" && /"detail": "/ {
    sub(/.*"detail": "/, "")
    sub(/",?[ \r]*$/, "")
    gsub(/\\n/, " ")
    gsub(/\\"/, "\"")
    # certbot asks again then, once.
    if (type == "badNonce") nonce = $0
    else { problem = type; detail = $0; after = wait }
    type = ""
  }
  END {
    if (nonce != "") { problem = "badNonce"; detail = nonce; after = "" }
    if (problem != "") print problem "\n" after "\n" detail
  }'
}
# Of certbot's log: the certificate that the authority issued last, in base64 of DER.
last_issued() {
  awk '
  tolower($0) ~ /^content-type: *application\/pem-certificate-chain/ { chain = 1; der = "" }
  chain && /^-----BEGIN CERTIFICATE-----/ { inside = 1; next }
  inside && /^-----END CERTIFICATE-----/ { inside = chain = 0; next }
  inside { sub(/\r$/, ""); der = der $0 }
  END { printf "%s", der }'
}

# What came of the last run at the authority: sent, whether it took an order; issued, the certificate that it made of it.
read_order() {
  sent=$(new_log | grep -c '"finalize": "')
  issued=$(new_log | last_issued)
}

# The authority counts an order that it took, whatever came of it here.
tell_sent() {
  read_order
  if [ -n "$issued" ]; then report wasted issued; elif [ "$sent" != 0 ]; then report wasted sent; fi
}

# Says why certbot failed, and ends.
explain() {
  tell_sent
  said=$(new_log | last_problem)
  if [ -n "$said" ]; then
    problem=$(printf '%s\n' "$said" | sed -n 1p)
    wait=$(printf '%s\n' "$said" | sed -n 2p)
    detail=$(printf '%s\n' "$said" | sed -n 3p | cut -c 1-2000)
    report problem "$problem"
    report detail "$detail"
    [ -z "$wait" ] || report retryAfter "$wait"
    case $problem in
      rateLimited) fail "$exit_too_many" "The certificate authority refuses for now, because of too many requests: $detail" ;;
      *) fail "$exit_refused" "The certificate authority refused ($problem): $detail" ;;
    esac
  fi
  code=$(new_log | sed -n 's/^HTTP \([0-9]*\)$/\1/p' | tail -n 1)
  wait=$(new_log | sed -n 's/^[Rr]etry-[Aa]fter: *//p' | tail -n 1 | tr -d '\r')
  case $code in
    429 | 503)
      [ -z "$wait" ] || report retryAfter "$wait"
      report problem "http$code"
      report detail "The certificate authority answered with HTTP $code."
      fail "$exit_too_many" "The certificate authority refuses for now: it answered with HTTP $code."
      ;;
  esac
  detail=$(grep -E 'with error: |Requesting .*: |exceeded|Error' "$log" | tail -n 1 | sed 's/^Failed to renew certificate .* with error: //')
  [ -n "$detail" ] || detail=$(grep -v -e '^Saving debug log' -e '^Ask for help' -e '^See the logfile' -e '^Either run as root' -e '^An unexpected error occurred' -e '^Requesting a certificate' -e '^[[:space:]]*$' -e '^- - ' "$log" | tail -n 1)
  case $detail in
    *' port 80 '*) detail="$detail$(port_holder 80)" ;;
    *"'${logs:-/ /}"*) detail="$detail. That is logs-dir in certbot's cli.ini." ;;
  esac
  detail=$(printf '%s' "$detail" | cut -c 1-2000)
  report detail "$detail"
  if printf '%s' "$detail" | grep -q -i -E '^(ValueError: )?Requesting .*:|ConnectionError|Max retries exceeded|ConnectTimeout|ReadTimeout|SSLError|timed out|name resolution'; then
    report problem unreachable
    fail "$exit_unreachable" "The certificate authority could not be reached: $detail"
  fi
  report problem certbot
  fail "$exit_failed" "certbot failed: $detail"
}
