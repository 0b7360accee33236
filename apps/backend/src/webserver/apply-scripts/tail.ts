import { webPrelude } from './web-prelude';

/**
 * Prints the last lines of logs and the lines added to them, with a heading `==> path <==` if there are several. Waits
 * for a file that does not exist yet. Ends after the given seconds, after 8 MB, or when descriptor 5 closes, if it runs
 * as a watching command. Changes nothing.
 *
 * Arguments: how many last lines of each, for how many seconds, the paths.
 */
export const tailScript = `${webPrelude}
lines=$1
seconds=$2
shift 2
for number in "$lines" "$seconds"; do
  case $number in
    '' | *[!0-9]*) fail 2 "$number is no number of lines or seconds." ;;
  esac
done
[ $# != 0 ] || fail 2 'There is no log to look at.'
for path in "$@"; do
  case $path in
    /*) ;;
    *) fail 2 "The path $path has to begin with a slash." ;;
  esac
  if [ ! -e "$path" ]; then note "There is no $path yet."
  elif [ ! -f "$path" ]; then fail 2 "$path is no file."
  elif [ ! -r "$path" ]; then fail 126 "$path cannot be read by $(id -un)."
  fi
done

folder=$(mktemp -d) || fail 73 'No temporary folder can be made on this server.'
helpers=
trap 'kill $helpers 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 143' HUP INT TERM
mkfifo "$folder/lines" || fail 73 'No pipe can be made on this server.'
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
# As the clock of the server counts: naps are longer than they should be where it is busy.
uptime() { cut -d . -f 1 </proc/uptime; }
end=$(($(uptime) + seconds))
while kill -0 "$source" 2>/dev/null && kill -0 "$copy" 2>/dev/null && [ "$(uptime)" -lt "$end" ]; do nap 0.5; done
kill "$source" 2>/dev/null
wait "$copy"
exit 0
`;

/** @param seconds how long to follow; 0 for the last lines alone */
export const tailArguments = (paths: readonly string[], lines: number, seconds: number): string[] => [
  String(lines),
  String(seconds),
  ...paths,
];
