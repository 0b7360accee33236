# Goes after prelude.sh. What follows a log ends when descriptor 5 closes: nothing is left on the server when the last browser
# leaves, when the connection is lost, or when the console ends.

nap() { sleep "$1" 2>/dev/null || sleep 1; }
# The program `follower` prints the log, if there is one. It ends together with this shell.
follower=
lifeline() {
  (
    while read -r _; do :; done
    # shellcheck disable=SC2086
    kill $follower $$
  ) <&5 >/dev/null 2>&1 &
  line=$!
}
# After the program has ended by itself.
cut_lifeline() { kill "$line" 2>/dev/null; }
