# Only one script at a time works on the sites of a server. With `flock` the kernel releases the lock when its holder
# dies. Without it, the lock is a folder that names its holder, and a dead holder's lock is removed.
# In: store, a folder. Descriptor 8 is the lock; no process that outlives the script may inherit it.

boot_id=
read -r boot_id 2>/dev/null </proc/sys/kernel/random/boot_id
# When the process $1 began, in ticks since the start of the server.
began() {
  [ -r "/proc/$1/stat" ] && read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
  # shellcheck disable=SC2086
  set -- ${stat##*)}
  echo "${20}"
}

lock_held=
try_lock() {
  if have flock; then
    exec 8>>"$store/lock.held" || fail 73 "$store/lock.held cannot be written."
    flock -n 8
    return
  fi
  if mkdir "$store/lock" 2>/dev/null; then
    lock_held=yes
    printf '%s %s %s\n' "$$" "$(began $$)" "$boot_id" >"$store/lock/holder"
    return 0
  fi
  forsaken || return 1
  # If several scripts see this at once, only one removes it.
  if mkdir "$store/lock.removal" 2>/dev/null; then
    ! forsaken || rm -rf "$store/lock"
    rmdir "$store/lock.removal"
  elif [ -n "$(find "$store/lock.removal" -prune -mmin +1 2>/dev/null)" ]; then
    rmdir "$store/lock.removal" 2>/dev/null
  fi
  return 1
}
forsaken() {
  if [ -s "$store/lock/holder" ] && read -r holder since boot <"$store/lock/holder"; then
    [ "$boot" != "$boot_id" ] || [ "$(began "$holder")" != "$since" ]
  else
    # Its holder ended before it wrote its name, or is about to write it.
    [ -n "$(find "$store/lock" -prune -mmin +1 2>/dev/null)" ]
  fi
}
take_lock() {
  tries=0
  until try_lock; do
    [ "$tries" != 0 ] || note 'Another process is changing the sites of this server. Waiting up to two minutes for it.'
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || fail 75 'Another process has been changing the sites of this server for two minutes. Try again when it has ended.'
    nap 0.2
  done
}
let_go() {
  [ -z "$lock_held" ] || rm -rf "$store/lock"
  lock_held=
}
