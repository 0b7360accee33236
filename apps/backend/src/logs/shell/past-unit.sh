# Prints the journal of a unit as JSON, one entry a line. `since`, `until`: seconds since 1970, or empty. `lines`: how many
# last entries.

: "${unit?}" "${since?}" "${until?}" "${lines?}" "${max_bytes?}"

. servers/shell/prelude.sh
. logs/shell/unit.sh

has_unit "$unit" || fail 2 "There is no unit $unit on this server."
journalctl --quiet --no-pager --all --output=json --output-fields=MESSAGE,PRIORITY --unit="$unit" --lines="$lines" \
  ${since:+--since="@$since"} ${until:+--until="@$until"} | head -c "$max_bytes"
exit 0
