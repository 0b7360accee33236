# Installs a site's file and restores the old one, each atomically. Whatever happens to the script, the live file is
# either the old or the new one, complete. An unverified change stays in a journal until the next script finds it.
# In: store, work, nginx_folder, file, live (the path of the site's file).

set_places() {
  good=$store/last-good/$file
  journal=$store/journal/$file
  proof=$store/running/$file
  temporary=$nginx_folder/.$file.quarterdeck
}

make_store() {
  (umask 077 && mkdir -p "$store/last-good" "$store/journal" "$store/running") || fail 73 "$store cannot be created."
}
make_work() {
  rm -rf "$work"
  (umask 077 && mkdir "$work") || fail 73 "$work cannot be created."
  rm -f "$temporary"
}

to_disk() { sync "$@" 2>/dev/null || sync; }
# Writes the text $2 to the file $1, atomically.
keep() {
  printf '%s\n' "$2" >"$1.new" && to_disk "$1.new" && mv -f "$1.new" "$1" || fail 73 "$1 cannot be written."
}

# If a script died after it had installed a file but before nginx was seen to run it, the last good file is the one before
# that change.
read_journal() {
  interrupted=
  was=
  [ -s "$journal" ] && read -r was new <"$journal" || return 0
  if [ "$found" = "$new" ]; then interrupted=yes; else rm -f "$journal"; fi
}

# Copies the live file to the last good one. Sets back to its SHA-256, or to '-' if there is no file: an undo restores that.
keep_last_good() {
  if [ -n "$interrupted" ] && [ "$(sha256_of "$good")" = "$was" ]; then
    back=$was
    return
  fi
  if [ "$found" = - ]; then rm -f "$good"
  else cp -P -p "$live" "$good.new" && to_disk "$good.new" && mv -f "$good.new" "$good" || fail 73 "$good cannot be written."
  fi
  back=$found
}

put_in_place() {
  keep "$journal" "$back $wanted"
  if [ "$wanted" != - ]; then
    (umask 022 && cat "$work/candidate" >"$temporary") || fail 73 "$nginx_folder cannot be written."
    if [ -f "$live" ]; then
      chmod "$(stat -L -c %a "$live")" "$temporary"
      chown "$(stat -L -c %u:%g "$live")" "$temporary"
    fi
    to_disk "$temporary"
  fi
  [ "$(sha256_of "$live")" = "$found" ] || drifted
  to_prove=yes
  if [ "$wanted" = - ]; then rm -f "$live"; else mv -f "$temporary" "$live"; fi || fail 73 "$live cannot be written."
  to_disk "$nginx_folder"
}

put_back_file() {
  if [ "$back" = - ]; then rm -f "$live"
  else
    rm -f "$temporary"
    cp -P -p "$good" "$temporary" && to_disk "$temporary" && mv -f "$temporary" "$live"
  fi || return 1
  to_prove=
  to_disk "$nginx_folder"
  rm -f "$journal"
}

# Identifies the live file and the running nginx. While both stay the same, nothing has to be verified again.
proven_now() { printf '%s %s %s' "$wanted" "$(stat -L -c '%i %z' "$live" 2>/dev/null)" "$(master_mark)"; }
is_proven() {
  [ -s "$proof" ] && [ -z "$interrupted" ] && read -r said <"$proof" || return 1
  master=$(printf '%s' "$said" | awk '{ print $(NF - 2) }')
  is_master "$master" && [ "$said" = "$(proven_now)" ]
}
