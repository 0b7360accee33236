# In: base, name, keep.

cd "$base" || fail 2 "There is no folder $base."
case $(readlink current)/ in
  "$name"/*) ;;
  *) fail 1 'Another version serves now. Nothing was removed.' ;;
esac
# From now on this version is not taken back.
rm -f .before
kept=1
# The names are ours: letters, digits, dots and dashes.
# shellcheck disable=SC2045,SC2035
for one in $(ls -t *.served); do
  one=${one%.served}
  [ "$one" != "$name" ] || continue
  kept=$((kept + 1))
  [ "$kept" -gt "$keep" ] || continue
  rm -rf "$one" "$one.served"
  note "Removed $one."
done
for one in */; do
  one=${one%/}
  [ -L "$one" ] || [ -e "$one.served" ] || rm -rf "$one"
done
