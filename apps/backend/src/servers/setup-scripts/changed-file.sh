# `change FILE` remembers the content of the file; after it, either `kept` or `put_back`.

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
  nginx -s reload >"$log" 2>&1 || { cat "$log" >&2; fail 1 'nginx could not be reloaded. It keeps serving the previous configuration.'; }
  note 'nginx was reloaded.'
}
