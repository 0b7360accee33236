# Prints the output of work from a given byte to its end, as it grows: output to stdout, messages for us to stderr. It
# ends when descriptor 5 closes, so nothing is left on the server when the connection is lost. Changes nothing, and may
# run any number of times, also concurrently.
# In: d, the folder, or empty; from, the number of known bytes. It is the last command of a script.
# Its last message is one line such as `end exited 3 1234`: the exit code and the size of the output.

# Answers whether the work is at its end, and sets verdict.
settled() {
  if ended; then
    verdict="exited $verdict"
  elif [ ! -d "$d" ]; then
    verdict='removed 0'
  elif [ -e "$d/never" ]; then
    verdict='never 0'
  elif ! same_boot "$d"; then
    if [ -e "$d/gate" ]; then verdict="rebooted $(size)"; else call_off; fi
  elif read_group "$d"; then
    running && return 1
    # It may have ended just now.
    ended && return 1
    verdict="vanished $(size)"
  else
    # Being started, or whoever started it is no more.
    patience=$((patience - hurry))
    [ $patience -le 0 ] || return 1
    if [ -e "$d/gate" ]; then verdict="vanished $(size)"; else call_off; fi
  fi
}
call_off() {
  verdict='never 0'
  take_gate && true >"$d/never"
}
# What is left, and not what something that was left behind goes on to print.
rest() {
  left=$((${verdict##* } - from))
  [ $left -le 0 ] || tail -c "+$((from + 1))" "$d/output" | head -c $left
}
size() { echo $(($(wc -c <"$d/output"))); }

# Ends with us, or when nobody listens any more.
lifeline() {
  (
    while read -r _; do :; done
    rm -f "$d/pump.$$" "$d/count.$$"
    # shellcheck disable=SC2086
    kill $helpers $$
  ) <&5 >/dev/null 2>&1 &
  line=$!
}

# tail tells at once what is new; what has passed through dd was read and printed, to the byte.
watch() {
  [ -p "$d/pump.$$" ] || mkfifo "$d/pump.$$" 2>/dev/null || return 1
  # shellcheck disable=SC2094
  exec 8<>"$d/alive" 7<"$d/alive" 8>&- 8<>"$d/pump.$$"
  tail -c "+$((from + 1))" -f "$d/output" >&8 2>/dev/null 8>&- 7<&- 5<&- &
  tail=$!
  exec 6<"$d/pump.$$" 8>&-
  dd bs=65536 <&6 2>"$d/count.$$" 7<&- 5<&- &
  copy=$!
  exec 6<&-
  helpers="$tail $copy"
  lifeline
  read -r _ <&7
  exec 7<&-
  until settled; do nap 0.2; done
  kill $tail 2>/dev/null
  wait $copy
  # Its last line is "1234 bytes copied", and begins like that in every language. The file goes with the folder.
  copied=
  while read -r first _; do copied=$first; done <"$d/count.$$"
  case $copied in
    '' | *[!0-9]*) ;;
    *)
      from=$((from + copied))
      rest
      ;;
  esac
}

# Where tail looks once a second only: one description of the open file, which remembers how far it was read.
look_again_and_again() {
  helpers=
  lifeline
  looks=0
  hurry=5
  exec 3<"$d/output"
  tail -c "+$((from + 1))" <&3
  until
    over=
    if ended; then settled && over=1
    elif [ $((looks % 5)) = 4 ]; then settled && over=1
    fi
    cat <&3
    [ -n "$over" ]
  do
    looks=$((looks + 1))
    if [ $looks -lt 20 ]; then nap 0.02; else nap 0.2; fi
  done
  exec 3<&-
}

tell_end() {
  say end "$verdict"
  [ ! -s "$d/never" ] || say why "$(tr '\n' ' ' <"$d/never")"
  say report
  [ ! -s "$d/report" ] || dd bs=8192 count=1 <"$d/report" >&2 2>/dev/null
  say over
}

follow() {
  if [ -z "$d" ]; then
    if was_removed; then say end removed 0; else say end unknown 0; fi
    say over
    exit 0
  fi
  say at
  umask 077
  line=
  # In fifths of a second.
  patience=75
  hurry=1
  # Another one is just making the folder.
  while [ ! -e "$d/output" ] && ! settled; do nap 0.2; done
  if ended && settled; then
    rest
  elif [ -p "$d/alive" ] && case $(tail --version 2>/dev/null) in *GNU*) true ;; *) false ;; esac && watch; then
    :
  elif [ -e "$d/output" ]; then
    look_again_and_again
  fi
  [ -z "$line" ] || kill $line 2>/dev/null
  tell_end
}
