/** Changes of nginx's own configuration: nginx tests each one, and what it refuses is put back. */
import { nginxWhereItRuns } from '../commands/nginx-container';
import { unlessInContainer } from './nginx';
import { serviceFunctions } from './services';
import { setupPrelude } from './setup-prelude';

/** Sets main to the file that nginx begins with. */
const mainFile = String.raw`main=$(nginx -T 2>/dev/null | sed -n 's/^# configuration file \(.*\):$/\1/p' | head -n 1)
[ -f "$main" ] || fail 2 'nginx does not say where its configuration is.'`;

/** `change FILE` keeps the file as it is; then either `kept` or `put_back`. */
const changedFile = String.raw`
before=$(mktemp) || fail 73 'No temporary file can be written on this server.'
file=
change() {
  existed=no
  if [ -f "$1" ]; then
    existed=yes
    cat "$1" >"$before" || fail 73 "$1 could not be read."
  fi
  file=$1
}
kept() { file=; }
put_back() {
  [ -n "$file" ] || return 0
  if [ "$existed" = yes ]; then cat "$before" >"$file"; else rm -f "$file"; fi
  file=
}
trap 'put_back; rm -f "$log" "$before" "$before".*' EXIT
reload_if_running() {
  process_runs nginx || return 0
  nginx -s reload >"$log" 2>&1 || { cat "$log" >&2; fail 1 'nginx could not be told to read its configuration again. It goes on with the old one.'; }
  note 'nginx reads its configuration again.'
}
`;

/** $1: the folder of our configurations that nginx should include. */
export const nginxIncludeScript = String.raw`${setupPrelude}${serviceFunctions}${unlessInContainer}
have nginx || missing nginx
many_files
folder=$(printf '%s' "$1" | sed 's,//*$,,')
odd=$(printf '%s' "$folder" | tr -d 'A-Za-z0-9/._@:+,=~%-' | tr -d '\200-\377')
case $odd in
  '') include="include $folder/*.conf;" ;;
  *[!\ ]*) fail 2 "nginx cannot be given the folder $1: there are characters in it that mean something else there." ;;
  *) include="include \"$folder/*.conf\";" ;;
esac

if ! nginx -t >"$log" 2>&1; then
  sed 's/^/  /' "$log" >&2
  fail 1 "nginx's configuration is not valid as it is. Nothing was changed."
fi
${mainFile}

# A folder of snippets that the http block itself reads; on Alpine conf.d is read outside of it.
snippets=$(awk '
  { line = $0; sub(/#.*/, "", line) }
  !inside && line ~ /^[ \t]*http[ \t]*(\{|$)/ { inside = 1 }
  inside {
    if (depth == 1 && line ~ /^[ \t]*include[ \t].*\/\*\.conf["\47]?;/) {
      sub(/^[ \t]*include[ \t]+["\47]?/, "", line)
      sub(/\/\*\.conf.*/, "", line)
      print line
      exit
    }
    opened = gsub(/\{/, "", line)
    closed = gsub(/\}/, "", line)
    depth += opened - closed
    if (depth <= 0 && closed) exit
  }' "$main")
case $snippets in
  '' | /*) ;;
  *) snippets=$(dirname -- "$main")/$snippets ;;
esac

${changedFile}
# How often nginx reads *.conf of the folder, whatever its configuration calls them: it is asked about a file of ours,
# which it refuses to read twice. Nothing uses what is in it.
asked=$folder/quarterdeck-asks-$$.conf
trap 'rm -f "$asked"; put_back; rm -f "$log" "$before"' EXIT
times_read() {
  echo "upstream quarterdeck_asks_$$ { server 127.0.0.1:1; }" >"$asked" || fail 73 "$folder cannot be written."
  nginx -T >"$log" 2>&1
  rm -f "$asked"
  if grep -q "duplicate upstream \"quarterdeck_asks_$$\"" "$log"; then echo twice
  elif grep -q "^# configuration file .*/quarterdeck-asks-$$\.conf:\$" "$log"; then echo once
  fi
}
ours() { grep -n -F -x -e "$include" -e "    $include" "$1" 2>/dev/null | head -n 1 | cut -d : -f 1; }
times=$(times_read)
if [ "$times" = twice ]; then
  # Of a folder that is read twice, no site can go live.
  for one in "$snippets/quarterdeck.conf" "$main"; do
    line=$(ours "$one")
    [ -n "$line" ] || continue
    change "$one"
    sed "${'${line}'}d" "$before" >"$file"
    if [ "$(times_read)" = once ]; then
      kept
      did "nginx reads $folder/*.conf once only"
      reload_if_running
      exit 0
    fi
    put_back
  done
  fail 1 "nginx reads $folder/*.conf more than once, so no site can go live. Remove one of the includes in its configuration."
fi
if [ "$times" = once ]; then
  note "nginx reads $folder/*.conf already."
  exit 0
fi

if [ -n "$snippets" ] && [ -d "$snippets" ]; then
  change "$snippets/quarterdeck.conf"
  [ "$existed" = no ] || note "$file is there and stays, with one more line."
  { [ "$existed" = yes ] || echo '# Sites of the console.'; printf '%s\n' "$include"; } >>"$file"
else
  note "The http block of $main reads no folder of snippets. The line goes into it directly."
  change "$main"
  line=$include awk '
    { print }
    !done && /^[ \t]*http[ \t]*(\{|$)/ { inside = 1 }
    inside && !done && /\{/ { print "    " ENVIRON["line"]; done = 1 }' "$before" >"$file"
fi
note "Added to $file: $include"

if ! nginx -t >"$log" 2>&1; then
  sed 's/^/  /' "$log" >&2
  put_back
  fail 1 "With $folder/*.conf nginx's configuration is not valid. It was put back as it was."
fi
kept
note 'The test of the configuration passed.'
did "nginx reads $folder/*.conf"
reload_if_running
`;

/**
 * Each WebSocket of a site that leads to a service takes four connections, so the 768 of Debian are 190 WebSockets a
 * worker. nginx reserves about 440 bytes for each connection, used or not.
 */
export const nginxConnectionsScript = String.raw`${setupPrelude}${serviceFunctions}${unlessInContainer}
have nginx || missing nginx
many_files
if ! nginx -t >"$log" 2>&1; then
  sed 's/^/  /' "$log" >&2
  fail 1 "nginx's configuration is not valid as it is. Nothing was changed."
fi
${mainFile}
${changedFile}
workers=$(nproc 2>/dev/null || grep -c '^processor' /proc/cpuinfo)
# At most a sixty-fourth of the memory.
most=$(awk -v workers="$workers" '$1 == "MemTotal:" { n = int($2 * 1024 / 64 / workers / 440 / 1024) * 1024; if (n < 4096) n = 4096; if (n > 16384) n = 16384; print n }' /proc/meminfo)
# In some containers not even root may raise the limit.
if (ulimit -n 65536) 2>/dev/null; then files=65536; else files=$(ulimit -H -n); fi

# The number that nginx is given for $1, or $2 if it is given none.
given() {
  number=$(nginx -T 2>/dev/null | sed -n "s/#.*//; s/.*\(^\|[;{[:space:]]\)$1[[:space:]][[:space:]]*\([0-9][0-9]*\)[[:space:]]*;.*/\2/p" | tail -n 1)
  printf '%s' "${'${number:-$2}'}"
}
new=$before.new
cat "$main" >"$new" || fail 73 "$main could not be read."
connections=$(given worker_connections 512)
if [ "$connections" -lt "$most" ]; then
  wanted=$most awk '
    {
      code = $0
      rest = ""
      if (match(code, /#/)) { rest = substr(code, RSTART); code = substr(code, 1, RSTART - 1) }
      if (!done && !inside && code ~ /(^|[;} \t])events[ \t]*(\{|$)/) inside = 1
      if (inside && !done) {
        if (match(code, /worker_connections[ \t]+[0-9]+/)) {
          code = substr(code, 1, RSTART - 1) "worker_connections " ENVIRON["wanted"] substr(code, RSTART + RLENGTH)
          done = 1
        } else if (at = index(code, "}")) {
          code = substr(code, 1, at - 1) " worker_connections " ENVIRON["wanted"] "; " substr(code, at)
          done = 1
        }
      }
      print code rest
    }' "$main" >"$new"
fi
limit=$(given worker_rlimit_nofile 0)
if [ "$limit" = 0 ]; then
  text=$(cat "$new" && echo .)
  { printf 'worker_rlimit_nofile %s;\n' "$files" && printf '%s' "${'${text%.}'}"; } >"$new"
elif [ "$limit" -lt "$files" ]; then
  text=$(cat "$new" && echo .)
  printf '%s' "${'${text%.}'}" | sed "s/^\([[:space:]]*worker_rlimit_nofile[[:space:]][[:space:]]*\)[0-9][0-9]*/\1$files/" >"$new"
fi
if cmp -s "$main" "$new"; then
  note "A worker of nginx takes $connections connections already."
  exit 0
fi
change "$main"
cat "$new" >"$file" || fail 73 "$file cannot be written."
if ! nginx -t >"$log" 2>&1 || [ "$(given worker_connections 512)" -lt "$most" ]; then
  sed 's/^/  /' "$log" >&2
  put_back
  warn "A worker of nginx keeps its $connections connections: $main was put back as it was."
  exit 0
fi
kept
[ "$connections" -ge "$most" ] || did "a worker of nginx takes $most connections instead of $connections"
[ "$limit" -ge "$files" ] || did "a worker of nginx may keep $files files open"
reload_if_running
`;

/** The file in the folder of sites that answers for names that no site has. */
const UNKNOWN_NAMES = 'quarterdeck-unknown-names.conf';

/**
 * Without a server of its own for them, nginx answers requests for unknown names with the first site, and over HTTPS
 * passes them to its app under the foreign name. $1: the folder of sites.
 */
export const unknownNamesScript = String.raw`${setupPrelude}${serviceFunctions}${nginxWhereItRuns}
have nginx || missing nginx
many_files
folder=$(printf '%s' "$1" | sed 's,//*$,,')
live=$folder/${UNKNOWN_NAMES}
${changedFile}
nginx -T >"$before.all" 2>"$log" || { sed 's/^/  /' "$log" >&2; fail 1 "nginx's configuration is not valid as it is. Nothing was changed."; }

# Address, port and whether it is the default one, for each listen of other files.
if [ -n "$container" ]; then own=/${UNKNOWN_NAMES}:
else own=$(sed -n 's/^# configuration file \(.*\):$/\1/p' "$before.all" | while IFS= read -r one; do [ ! "$one" -ef "$live" ] || echo "$one:"; done)
fi
listens() {
  awk -v own="${'${own:-:none:}'}" '
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
  ! is_foreign "$port" || warn "Another program than nginx listens at port $port: nothing is changed there."
done
plain=$(addresses 80)
secure=$(addresses 443)
rejects() { nginx -v 2>&1 | sed 's,^.*nginx/,,; s/[^0-9.].*//' | awk -F . '{ exit !($1 > 1 || $2 > 19 || ($2 == 19 && $3 >= 4)) }'; }
if [ -n "$secure" ] && ! rejects; then
  if [ -n "$container" ] || ! have openssl; then
    warn 'This nginx cannot refuse a handshake, and no certificate can be made for it: nothing is changed at port 443.'
    secure=
  else
    made=/etc/ssl/private/quarterdeck-unknown-names
    mkdir -p "${'${made%/*}'}"
    [ -s "$made.key" ] && [ -s "$made.pem" ] ||
      (umask 077 && openssl req -x509 -newkey rsa:2048 -nodes -days 36500 -subj /CN=invalid -keyout "$made.key" -out "$made.pem" >"$log" 2>&1) ||
      { cat "$log" >&2; fail 1 "No certificate could be made at $made.pem."; }
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
  note 'Unknown names are refused already.'
  exit 0
fi
change "$live"
cat "$new" >"$file" || fail 73 "$file cannot be written."
if ! nginx -t >"$log" 2>&1; then
  sed 's/^/  /' "$log" >&2
  put_back
  warn 'nginx does not accept a server for unknown names. It was taken back.'
  exit 0
fi
kept
did 'nginx refuses names that no site has'
reload_if_running
`;
