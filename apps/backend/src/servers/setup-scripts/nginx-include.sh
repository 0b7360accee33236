# Lets nginx include the folder of our configurations.

: "${nginx_folder?}"

. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/services.sh
. servers/setup-scripts/unless-in-container.sh

have nginx || missing nginx
many_files
folder=$(printf '%s' "$nginx_folder" | sed 's,//*$,,')
odd=$(printf '%s' "$folder" | tr -d 'A-Za-z0-9/._@:+,=~%-' | tr -d '\200-\377')
case $odd in
  '') include="include $folder/*.conf;" ;;
  *[!\ ]*) fail 2 "The folder $nginx_folder cannot be used: its name contains characters with a special meaning in the configuration of nginx." ;;
  *) include="include \"$folder/*.conf\";" ;;
esac

if ! nginx -t >"$log" 2>&1; then
  sed 's/^/  /' "$log" >&2
  fail 1 "The configuration of nginx is not valid. Nothing was changed."
fi
. servers/setup-scripts/main-file.sh

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

. servers/setup-scripts/changed-file.sh
# How often nginx reads *.conf of the folder, however its configuration names them: nginx is tested with a file of ours
# that it refuses to read twice. Nothing uses the content of that file.
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
  # While nginx reads the folder twice, no site can go live.
  for one in "$snippets/quarterdeck.conf" "$main"; do
    line=$(ours "$one")
    [ -n "$line" ] || continue
    change "$one"
    sed "${line}d" "$before" >"$file"
    if [ "$(times_read)" = once ]; then
      kept
      did "nginx reads $folder/*.conf only once"
      reload_if_running
      exit 0
    fi
    put_back
  done
  fail 1 "nginx reads $folder/*.conf more than once, so no site can go live. Remove one of the includes in its configuration."
fi
if [ "$times" = once ]; then
  note "nginx already reads $folder/*.conf."
  exit 0
fi

if [ -n "$snippets" ] && [ -d "$snippets" ]; then
  change "$snippets/quarterdeck.conf"
  [ "$existed" = no ] || note "$file exists. One line is added to it."
  { [ "$existed" = yes ] || echo '# Sites of the console.'; printf '%s\n' "$include"; } >>"$file"
else
  note "The http block of $main includes no folder. The line is added to the block itself."
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
  fail 1 "With $folder/*.conf the configuration of nginx is not valid. The previous configuration was restored."
fi
kept
note 'The test of the configuration passed.'
did "nginx reads $folder/*.conf"
reload_if_running
