# Leads the session. $0 is in the folder of the work, and descriptor 9 keeps `alive` open. The parentheses keep the
# shell's own message about a killed script ("Killed") out of the output.

d=${0%/*}
set -C
true >"$d/gate" || exit 1
set +C
if read -r stat 2>/dev/null </proc/$$/stat; then
  # shellcheck disable=SC2086
  set -- ${stat##*)}
  leads=$3
  since=${20}
else
  leads=$(ps -o pgid= -p $$ 2>/dev/null | tr -d ' ')
  since=-
fi
[ "$leads" = $$ ] && group=-$$ || group=$$
printf '%s %s\n' "$group" "$since" >"$d/group" || exit 1
(exec /bin/sh "$d/run" </dev/null >>"$d/output" 2>&1 9>&-)
code=$?
size=$(wc -c <"$d/output")
printf '%s %s\n' "$code" "$((size))" >"$d/exit"
