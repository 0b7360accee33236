# Reports `file`, `running` (yes or no), `sha256` (`-` for no file), `bytes` and `modifiedAt` (seconds since the epoch). As a
# step of a run, it also reports `text` (gzip in base64). As a plain command, it prints the first 512 kB of the text after the
# line `::text`. Changes nothing.

: "${nginx_folder?}" "${file?}" "${exit_too_long?}"

. webserver/shell/web-prelude.sh
. servers/shell/nginx-where-it-runs.sh
. webserver/apply-scripts/lock.sh
. webserver/apply-scripts/nginx-process.sh

find_nginx
store=
error_log=
work=
site_file "$file"
live=$(printf '%s' "$nginx_folder" | sed 's,//*$,,')/$file
[ ! -d "$live" ] || fail 2 "$live is a folder."
found=$(sha256_of "$live")
[ -n "$found" ] || fail 126 "$live cannot be read by $(id -un)."
report file "$live"
report sha256 "$found"
running=no
if have nginx; then
  pid_file=$(built_in pid-path)
  ! find_master || running=yes
fi
report running "$running"
[ "$found" != - ] || exit 0
report bytes "$(($(wc -c <"$live")))"
report modifiedAt "$(stat -L -c %Y "$live")"
if [ -n "$plain" ]; then
  echo '::text'
  head -c 524288 "$live"
  exit 0
fi
note "$live has $(($(wc -c <"$live"))) bytes, SHA-256 $found."
# The report of a step has to fit into 8 kB.
packed=$(gzip -9 -c <"$live" | if have base64; then base64; else openssl base64; fi | tr -d '\n')
[ "${#packed}" -le 7000 ] || fail "$exit_too_long" "$live is too long for the report of a run."
report text "$packed"
