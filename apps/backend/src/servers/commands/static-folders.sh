# Lists the folders in a folder, with their sizes.

: "${folder?}"

. servers/shell/prelude.sh

path=$folder
case $path in
  /*) ;;
  *) path=./$path ;;
esac
as_root test -e "$path" || as_root test -L "$path" || {
  parent=$(dirname -- "$path")
  as_root test -d "$parent" && ! as_root test -x "$parent" && fail 126 "The account $(id -un) has no permission to read $parent."
  fail 2 "There is no folder $folder on this server."
}
as_root test -d "$path" || fail 2 "$folder is not a folder."
as_root test -r "$path" && as_root test -x "$path" || fail 126 "The account $(id -un) has no permission to read $folder."

# In a shell of its own, since a glob of ours sees only what this account may see.
as_root sh -c '
  cd -- "$1" || exit 126
  folders=0
  files=0
  for entry in ./* ./.[!.]* ./..?*; do
    if [ -d "$entry" ]; then folders=$((folders + 1)); elif [ -e "$entry" ]; then files=$((files + 1)); fi
  done
  echo "$2: $folders folders, $files files"
  [ "$folders" = 0 ] && exit 0
  changed() { date -r "$1" "+%Y-%m-%d %H:%M" 2>/dev/null; }
  name() { printf "%s" "$1" | cut -c 3-; }
  echo
  printf "%8s  %-16s  %s\n" size changed folder
  # One walk for all sizes; it names the folder itself last.
  du -h -d 1 . 2>/dev/null | while IFS="$(printf "\t")" read -r size entry; do
    if [ "$entry" = . ]; then printf "%8s  %-16s  %s\n" "$size" "" "(in all)"
    else printf "%8s  %-16s  %s\n" "$size" "$(changed "$entry")" "$(name "$entry")"
    fi
  done
  for entry in ./* ./.[!.]* ./..?*; do
    [ -L "$entry" ] && [ -d "$entry" ] || continue
    printf "%8s  %-16s  %s -> %s\n" link "$(changed "$entry")" "$(name "$entry")" "$(readlink "$entry")"
  done
  exit 0
' sh "$path" "$folder"
