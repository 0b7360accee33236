# Prints the journal of a unit as JSON, one entry a line. `since`, `until`: seconds since 1970, or empty. `lines`: how many
# last entries.

: "${unit?}" "${since?}" "${until?}" "${lines?}" "${max_bytes?}"

. servers/shell/prelude.sh

have journalctl || missing journalctl
if [ "$(systemctl show --property=LoadState --value -- "$unit" 2>/dev/null)" = not-found ] &&
  [ -z "$(journalctl --quiet --no-pager --lines=1 --unit="$unit" 2>/dev/null)" ]; then
  fail 2 "There is no unit $unit on this server."
fi
journalctl --quiet --no-pager --all --output=json --output-fields=MESSAGE,PRIORITY --unit="$unit" --lines="$lines" \
  ${since:+--since="@$since"} ${until:+--until="@$until"} | head -c "$max_bytes"
exit 0
