# Prints the lines of files: first a line `word inode first path`, then the lines, each with its first byte and a colon before it. Of
# rotated files, only those that were written to since `since`, in seconds since 1970; without it, the present files alone. The
# newest bytes count: `max_bytes` of each file. `folder`, `suffix`: which files (log-files.sh).

: "${folder?}" "${suffix?}" "${since?}" "${search?}" "${any_case?}" "${max_bytes?}" "${word?}"

. servers/shell/prelude.sh
. logs/shell/log-files.sh
. logs/shell/matching.sh

max_rotated=10

contents() {
  case $1 in
    *.gz) gzip -d -c -- "$1" 2>/dev/null ;;
    *) tail -c "$max_bytes" -- "$1" ;;
  esac
}
# $1: the file, $2: its name in the answer.
print_file() {
  # shellcheck disable=SC2046
  set -- "$1" "$2" $(stat -L -c '%i %s' -- "$1" 2>/dev/null)
  first=0
  case $1 in
    *.gz) ;;
    *) [ "${4:-0}" -le "$max_bytes" ] || first=$(($4 - max_bytes)) ;;
  esac
  printf '%s %s %s %s\n' "$word" "${3:-0}" "$first" "$2"
  contents "$1" | awk -v at="$first" '{ printf "%.0f:%s\n", at, $0; at += length($0) + 1 }' | matching
}
name_log_files
printf '%s zone %s\n' "$word" "$(date +%z)"
eval "$log_files"
any=
for path in "$@"; do
  [ -f "$path" ] || continue
  any=yes
  if [ -n "$since" ]; then
    rotated=0
    for old in "$path".[0-9]* "$path"-[0-9]*; do
      [ -f "$old" ] && [ $rotated -lt $max_rotated ] || continue
      changed=$(stat -L -c %Y -- "$old" 2>/dev/null)
      [ "${changed:-0}" -ge "$since" ] || continue
      rotated=$((rotated + 1))
      print_file "$old" "$path"
    done
  fi
  print_file "$path" "$path"
done
if [ -z "$any" ]; then
  [ -n "$folder" ] || fail 2 "There is no file $1 on this server."
  fail 2 "There are no logs in $folder on this server. They begin when the site is applied."
fi
