# Stops the previous version, and removes releases older than the kept ones. Goes after watch.sh.

: "${exit_unhealthy?}"

# This step may run again long after the deploy. It never stops the container that the proxy leads to now.
port=$(port_of_proxy "$proxy")
look_at_containers "$service"
mine=$(printf '%s\n' "$containers" | awk -v release="$release" '$2 == release { print $3 }')
[ -n "$mine" ] && [ "$mine" = "$port" ] || fail 1 'The proxy no longer leads to this release. Nothing was stopped.'

look
crashes_before=${crashes:-0}
still_well() { become_well "$seconds" && site_answers; }
keep_old() { fail "$exit_unhealthy" "$why The previous version was not removed: go back to it, or deploy again."; }
while read -r one other at; do
  [ -n "$at" ] && [ "$other" != "$release" ] || continue
  still_well || keep_old
  engine docker stop --time 30 "$one" || tell_said
  if ! still_well; then
    engine docker start "$one" || tell_said
    keep_old
  fi
  engine docker rm --force "$one" || tell_said
  # Its values remain only in the vault.
  rm -f "$base/$other/env"
  did "stopped the release $other"
done <<END
$containers
END
look_at_containers "$service"
case $containers in
  *'
'*) fail 1 'A container of an earlier release could not be removed. The new release serves; run this step again.' ;;
esac
rm -f "$folder/before"

touch "$base/$release"
kept=0
# The names are ids.
# shellcheck disable=SC2045
for one in $(ls -t "$base"); do
  if [ "$one" = "$release" ] || { [ -f "$base/$one/image" ] && [ "$kept" -lt $((keep - 1)) ]; }; then
    [ "$one" = "$release" ] || kept=$((kept + 1))
    continue
  fi
  image=$(cat "$base/$one/image" "$base/$one/unserved" 2>/dev/null)
  rm -rf "${base:?}/$one"
  # Another release may have the same image.
  [ -z "$image" ] || cat "$base"/*/image 2>/dev/null | grep -q -x -F "$image" || free "$image"
  note "Removed the files of the release $one."
done
exit 0
