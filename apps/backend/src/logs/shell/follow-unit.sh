# Prints the journal of a unit as JSON, one entry a line, and its new entries. `cursor`: everything up to this entry is known;
# without one, it begins with the last entries, `lines` of them.

: "${unit?}" "${cursor?}" "${lines?}"

. servers/shell/prelude.sh
. logs/shell/unit.sh
. logs/shell/lifeline.sh

has_unit "$unit" || fail 2 "There is no unit $unit on this server."
if [ -n "$cursor" ]; then set -- --after-cursor="$cursor" --no-tail; else set -- --lines="$lines"; fi
journalctl --quiet --no-pager --all --follow --output=json --output-fields=MESSAGE,PRIORITY --unit="$unit" "$@" 5<&- &
follower=$!
lifeline
wait "$follower"
code=$?
cut_lifeline
exit "$code"
