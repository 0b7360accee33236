# Prints files, and what is added to them, in pieces: a line `word inode first length path`, and so many bytes of the file
# from that byte on. It goes on after a rotation: first with the rest of the old file, which nginx goes on writing to for a
# moment, and then with the new one. `folder`, `suffix`: which files (log-files.sh). `back`: with how many last bytes of a file
# to begin. Positional parameters: what is known, as an inode, a number of bytes and a path for each file.
#
# `tail -F` would lose what is written to a file after its rotation, and does not say where it stands.

: "${folder?}" "${suffix?}" "${back?}" "${word?}"

. servers/shell/prelude.sh
. logs/shell/lifeline.sh
. logs/shell/log-files.sh

# What is read at once, so that several files take turns.
piece=1048576
# So many looks at the old file after something has been written to the new one.
looks=3
max_files=50

files=0
get() { eval "inode=\$inode_$1 from=\$from_$1 path=\$path_$1 looked=\$looked_$1"; }
put() { eval "inode_$1=\$inode from_$1=\$from path_$1=\$path looked_$1=\$looked"; }
while [ $# -ge 3 ]; do
  files=$((files + 1))
  inode=$1 from=$2 path=$3 looked=0
  put $files
  shift 3
done

# Prints what the opened file has beyond $from. The length is announced first, so it is kept even if the file becomes shorter.
pump() {
  # shellcheck disable=SC2046
  set -- $(stat -L -c '%i %s' /dev/fd/3 2>/dev/null)
  [ "$1" = "$inode" ] || return
  # It was emptied.
  [ "$2" -ge "$from" ] || from=0
  while [ "$from" -lt "$2" ]; do
    length=$(($2 - from))
    [ $length -le $piece ] || length=$piece
    printf '%s %s %s %s %s\n' "$word" "$inode" "$from" "$length" "$path"
    {
      [ "$from" = 0 ] || dd bs=1 skip="$from" count=0 2>/dev/null
      cat
      cat /dev/zero
    } </dev/fd/3 2>/dev/null 5<&- | head -c "$length"
    from=$((from + length))
    busy=yes
  done
}
pump_file() {
  { exec 3<"$1"; } 2>/dev/null || return
  pump
  exec 3<&-
}
# Where a file is now that had this inode.
moved_to() { stat -c '%i %n' -- "${path%/*}"/* 2>/dev/null | sed -n "s/^$inode //p" | head -n 1; }

# $1: which one, $2: the inode that its path has now, $3: its size.
look() {
  get "$1"
  if [ "$inode" = "$2" ]; then
    [ "$from" = "$3" ] || pump_file "$path"
  else
    old=$(moved_to)
    [ -z "$old" ] || pump_file "$old"
    [ "$3" = 0 ] || looked=$((looked + 1))
    if [ -z "$old" ] || [ "$looked" -ge "$looks" ]; then
      inode=$2 from=0 looked=0
      pump_file "$path"
    fi
  fi
  put "$1"
}
# A file that was not there before is new, except at the beginning.
meet() {
  [ $files -lt $max_files ] || return
  files=$((files + 1))
  inode=$1 from=0 looked=0
  if [ -n "$first" ] && [ "$2" -gt "$back" ]; then from=$(($2 - back)); fi
  pump_file "$path"
  put $files
}
name_log_files
printf '%s zone %s\n' "$word" "$(date +%z)"
lifeline
first=yes
[ $files = 0 ] || first=
while :; do
  busy=
  eval "$log_files"
  found=$(stat -L -c '%i %s %n' -- "$@" 2>/dev/null)
  while read -r there size one; do
    [ -f "$one" ] || continue
    number=1
    while [ $number -le $files ]; do
      eval "[ \"\$path_$number\" != \"\$one\" ]" || break
      number=$((number + 1))
    done
    path=$one
    if [ $number -le $files ]; then look $number "$there" "$size"; else meet "$there" "$size"; fi
  done <<END
$found
END
  first=
  if [ -n "$busy" ]; then nap 0.3; else nap 0.8; fi
done
