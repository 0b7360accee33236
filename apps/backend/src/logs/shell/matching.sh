# Goes after prelude.sh: which lines are sent. A search for a text is done here, so that little is sent; for the rest see the
# caller. `search`: the text, or empty. `any_case`: yes, or empty. `max_bytes`: not more than that.

matching() {
  if [ -n "$search" ]; then grep -a -F ${any_case:+-i} -e "$search" | head -c "$max_bytes"; else head -c "$max_bytes"; fi
}
