# Without a server of its own for them, nginx answers requests for unknown names with the first site, and over HTTPS passes
# them to its app under the foreign name.

: "${nginx_folder?}"

. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/services.sh
. servers/shell/nginx-where-it-runs.sh

find_nginx
have nginx || missing nginx
many_files
folder=$(printf '%s' "$nginx_folder" | sed 's,//*$,,')
live=$folder/quarterdeck-unknown-names.conf
. servers/setup-scripts/changed-file.sh
nginx -T >"$before.all" 2>"$log" || { sed 's/^/  /' "$log" >&2; fail 1 "The configuration of nginx is not valid. Nothing was changed."; }

# Address, port and whether it is the default one, for each listen of other files.
if [ -n "$container" ]; then own=/quarterdeck-unknown-names.conf:
else own=$(sed -n 's/^# configuration file \(.*\):$/\1/p' "$before.all" | while IFS= read -r one; do [ ! "$one" -ef "$live" ] || echo "$one:"; done)
fi
listens() {
  awk -v own="${own:-:none:}" '
    /^# configuration file / { skip = index($0, own) > 0; next }
    skip { next }
    { sub(/#.*/, ""); text = text " " $0 }
    END {
      count = split(text, statements, /[;{}]/)
      for (i = 1; i <= count; i++) {
        words = split(statements[i], word, " ")
        if (word[1] != "listen") continue
        at = word[2]
        sub(/^(\*|0\.0\.0\.0):/, "", at)
        if (at ~ /^\[::\]$/) at = at ":80"
        if (at !~ /:/ && at !~ /^[0-9]+$/) at = at ":80"
        kind = "other"
        for (j = 3; j <= words; j++) if (word[j] == "default_server" || word[j] == "default") kind = "default"
        print at, kind
      }
    }' "$before.all"
}
listens | sort -u >"$before.listens"
has_default() { grep -q -x -F "$1 default" "$before.listens"; }
# Whether a program other than nginx listens at the port: nginx could not start again beside it.
is_foreign() {
  [ -z "$container" ] && [ ! -f "$live" ] && ! cut -d ' ' -f 1 "$before.listens" | grep -q -x -e "$1" -e ".*:$1" &&
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port="$(printf ':%04X' "$1")" '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }'
}
# The addresses at port $1 for which nobody else answers by default.
addresses() {
  ! is_foreign "$1" || return 0
  has_default "$1" || echo "$1"
  [ ! -s /proc/net/if_inet6 ] || has_default "[::]:$1" || echo "[::]:$1"
}
listen() { for one in $1; do printf '    listen %s%s default_server;\n' "$one" "$2"; done; }

for port in 80 443; do
  ! is_foreign "$port" || warn "A program other than nginx listens on port $port. Nothing is changed for this port."
done
plain=$(addresses 80)
secure=$(addresses 443)
rejects() { nginx -v 2>&1 | sed 's,^.*nginx/,,; s/[^0-9.].*//' | awk -F . '{ exit !($1 > 1 || $2 > 19 || ($2 == 19 && $3 >= 4)) }'; }
if [ -n "$secure" ] && ! rejects; then
  if [ -n "$container" ] || ! have openssl; then
    warn 'This nginx cannot refuse a TLS handshake, and no certificate can be created for it. Nothing is changed for port 443.'
    secure=
  else
    made=/etc/ssl/private/quarterdeck-unknown-names
    mkdir -p "${made%/*}"
    [ -s "$made.key" ] && [ -s "$made.pem" ] ||
      (umask 077 && openssl req -x509 -newkey rsa:2048 -nodes -days 36500 -subj /CN=invalid -keyout "$made.key" -out "$made.pem" >"$log" 2>&1) ||
      { cat "$log" >&2; fail 1 "The certificate $made.pem could not be created."; }
  fi
fi
if [ -z "$plain$secure" ]; then
  note 'Other servers of nginx answer for unknown names. Nothing is changed.'
  exit 0
fi

new=$before.new
no_answer='    location / {
        return 444;
    }'
{
  echo '# Names that no site has, written by Quarterdeck.'
  if [ -n "$plain" ]; then
    echo 'server {'
    listen "$plain" ''
    printf '%s\n' '    server_name "";' '    access_log off;' "$no_answer" '}'
  fi
  if [ -n "$secure" ]; then
    echo 'server {'
    listen "$secure" ' ssl http2'
    # Those of the sites: nginx agrees on a version before it knows the name.
    printf '%s\n' '    server_name "";' '    access_log off;' '    ssl_protocols TLSv1.2 TLSv1.3;' \
      '    ssl_session_cache shared:quarterdeck:10m;' '    ssl_session_tickets off;'
    if rejects; then echo '    ssl_reject_handshake on;'
    else printf '%s\n' "    ssl_certificate $made.pem;" "    ssl_certificate_key $made.key;" "$no_answer"
    fi
    echo '}'
  fi
} >"$new"
if cmp -s "$live" "$new"; then
  note 'Unknown names are already refused.'
  exit 0
fi
change "$live"
cat "$new" >"$file" || fail 73 "$file cannot be written."
if ! nginx -t >"$log" 2>&1; then
  sed 's/^/  /' "$log" >&2
  put_back
  warn 'nginx does not accept a server for unknown names. The previous configuration was restored.'
  exit 0
fi
kept
did 'nginx refuses names that no site has'
reload_if_running
