# Sums up what was added to the access logs of sites since the last look. No line leaves the server.
#
# `sites`: a line `domain folder` for each site. `known`: a line `domain inode byte state path` for each file: what was read
# of it, or `domain 0 0 none /` for a site that had no log. `old` is a file that nginx has left; it is read once more, because a worker may write to it for a moment.
# `max_bytes`: of one site; four times as much of all. Of more only the first part is read.
#
# Prints `clock=seconds`, and for each site `problem=domain word`, or
# `sums=domain|bytes there|bytes read|requests|1xx|2xx|3xx|4xx|5xx|bytes sent|requests with a time|times`, and
# `place=domain inode byte state path` for each file. `times` are `number:count`, where the number is the logarithm of the
# milliseconds to the base 1.1, plus 1; 0 is less than a millisecond.

: "${sites?}" "${known?}" "${max_bytes?}"

. servers/shell/prelude.sh

max_files=50
left=$((max_bytes * 4))

if [ -r /proc/uptime ]; then
  read -r clock rest </proc/uptime
  echo "clock=$clock"
fi

# Sets $there and $size to the inode and the size of a path.
find_path() {
  there='' size=''
  while read -r one_inode one_size one_path; do
    if [ "$one_path" = "$1" ]; then there=$one_inode size=$one_size; fi
  done <<END
$found
END
}
# Where a file is now that had this inode: its size and its path.
moved_to() { stat -c '%i %s %n' -- "$folder"/* 2>/dev/null | sed -n "s/^$1 //p" | head -n 1; }

# $1: first byte, $2: the byte after the last one, $3: path.
add_piece() {
  [ "$2" -gt "$1" ] || return 0
  length=$(($2 - $1))
  all=$((all + length))
  if [ $((taken + length)) -gt "$budget" ]; then length=$((budget - taken)); fi
  [ "$length" -gt 0 ] || return 0
  taken=$((taken + length))
  pieces="$pieces$1 $length $3
"
}
add_place() {
  echo "place=$domain $1 $2 $3 $4"
  [ "$3" = old ] || seen="$seen$4
"
}

print_pieces() {
  printf '%s' "$pieces" | while read -r from length path; do
    {
      [ "$from" = 0 ] || dd bs=1 skip="$from" count=0 2>/dev/null
      head -c "$length"
    } <"$path" 2>/dev/null
  done
}
# nginx writes a quote within a value as \x22, so quotes separate the fields.
sum_lines() {
  awk -F '"' '
    NF < 3 { next }
    {
      split($3, of, " ")
      if (of[1] !~ /^[1-5][0-9][0-9]$/ || of[2] !~ /^[0-9]+$/) next
      requests++
      class[substr(of[1], 1, 1)]++
      sent += of[2]
      spent = $7
      gsub(/ /, "", spent)
      if (spent !~ /^[0-9]+\.[0-9]+$/) next
      timed++
      ms = spent * 1000
      # A little more, because 1.1 to the power of a whole number is not exact.
      times[ms < 1 ? 0 : int(log(ms) / log(1.1) + 1e-9) + 1]++
    }
    END {
      printf "%.0f|%.0f|%.0f|%.0f|%.0f|%.0f|%.0f|%.0f|", requests, class[1], class[2], class[3], class[4], class[5], sent, timed
      for (one in times) printf "%s%d:%.0f", (first++ ? "," : ""), one, times[one]
      print ""
    }'
}

look_at_site() {
  [ -d "$folder" ] || { echo "problem=$domain noLog"; return; }
  set -- "$folder"/*.access.log
  if [ -e "$1" ]; then
    [ -r "$1" ] || { echo "problem=$domain noAccess"; return; }
  else
    # Between the two steps of a rotation only the old file exists.
    printf '%s\n' "$known" | grep -q "^$domain [0-9]* [0-9]* current " || { echo "problem=$domain noLog"; return; }
    set --
  fi
  have awk || { echo "problem=$domain noAwk"; return; }
  found=
  [ $# = 0 ] || found=$(stat -L -c '%i %s %n' -- "$@" 2>/dev/null | head -n $max_files)
  all=0 taken=0 pieces='' seen='' begun=
  budget=$max_bytes
  [ "$budget" -le "$left" ] || budget=$left
  while read -r of inode from state path; do
    [ "$of" = "$domain" ] || continue
    begun=yes
    [ "$state" != none ] || continue
    find_path "$path"
    if [ "$there" = "$inode" ]; then
      [ "$state" = current ] || continue
      # It was emptied.
      [ "$size" -ge "$from" ] || from=0
      add_piece "$from" "$size" "$path"
      add_place "$inode" "$size" current "$path"
      continue
    fi
    old=$(moved_to "$inode")
    if [ -n "$old" ]; then
      old_size=${old%% *}
      [ "$old_size" -ge "$from" ] || from=$old_size
      add_piece "$from" "$old_size" "${old#* }"
    fi
    [ "$state" = current ] || continue
    if [ -n "$old" ] && [ "${size:-0}" = 0 ]; then
      # nginx still writes to the old one.
      add_place "$inode" "$old_size" current "$path"
      continue
    fi
    [ -z "$old" ] || add_place "$inode" "$old_size" old "$path"
    [ -n "$there" ] || continue
    add_piece 0 "$size" "$path"
    add_place "$there" "$size" current "$path"
  done <<END
$known
END
  while read -r inode size path; do
    [ -n "$inode" ] || continue
    case "
$seen" in *"
$path
"*) continue ;; esac
    # Nobody asked before: what was there already belongs to no minute.
    [ -z "$begun" ] || add_piece 0 "$size" "$path"
    add_place "$inode" "$size" current "$path"
  done <<END
$found
END
  left=$((left - taken))
  if [ -n "$pieces" ]; then
    sums=$(print_pieces | sum_lines)
  else
    sums='0|0|0|0|0|0|0|0|'
  fi
  echo "sums=$domain|$all|$taken|$sums"
}

while read -r domain folder; do
  [ -z "$domain" ] || look_at_site </dev/null
done <<END
$sites
END
exit 0
