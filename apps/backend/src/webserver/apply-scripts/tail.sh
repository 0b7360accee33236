# Prints the last lines of logs and the lines added to them, with a heading `==> path <==` if there are several. Waits for a file
# that does not exist yet. Ends after the given seconds, after 8 MB, or when descriptor 5 closes, if it runs as a watching
# command. Changes nothing. `lines`: how many last lines of each. Positional parameters: the paths.

: "${lines?}" "${seconds?}"

. webserver/shell/web-prelude.sh

for number in "$lines" "$seconds"; do
  case $number in
    '' | *[!0-9]*) fail 2 "$number is not a number of lines or seconds." ;;
  esac
done
[ $# != 0 ] || fail 2 'No log was named.'
for path in "$@"; do
  case $path in
    /*) ;;
    *) fail 2 "The path $path must begin with a slash." ;;
  esac
  if [ ! -e "$path" ]; then note "$path does not exist yet."
  elif [ ! -f "$path" ]; then fail 2 "$path is not a file."
  elif [ ! -r "$path" ]; then fail 126 "$path cannot be read by $(id -un)."
  fi
done

folder=$(mktemp -d) || fail 73 'No temporary folder can be created on this server.'
helpers=
trap 'kill $helpers 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 143' HUP INT TERM
mkfifo "$folder/lines" || fail 73 'No pipe can be created on this server.'
tail -n "$lines" -F "$@" >"$folder/lines" 2>/dev/null 5<&- &
source=$!
dd bs=4096 count=2048 <"$folder/lines" 2>/dev/null 5<&- &
copy=$!
helpers="$source $copy"
if { true <&5; } 2>/dev/null; then
  (
    while read -r _; do :; done
    kill $source
  ) <&5 >/dev/null 2>&1 &
  helpers="$helpers $!"
fi
# By the clock of the server: on a busy server, naps take longer than they should.
uptime() { cut -d . -f 1 </proc/uptime; }
end=$(($(uptime) + seconds))
while kill -0 "$source" 2>/dev/null && kill -0 "$copy" 2>/dev/null && [ "$(uptime)" -lt "$end" ]; do nap 0.5; done
kill "$source" 2>/dev/null
wait "$copy"
exit 0
