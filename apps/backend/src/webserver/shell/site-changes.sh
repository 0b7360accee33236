# Installs and removes a site's file on a server. The server's own nginx tests it together with all other sites before it goes
# live. The file is swapped atomically, verified by the new workers, and restored if anything fails.
#
# In: nginx_folder, the folder of sites; file, the name of the site's file; root; expected: the expected live file, as its
# SHA-256, `-` for no file, `*` for any; wanted: the SHA-256 of the new file; text: its text. Each function ends the shell
# that runs it.

: "${exit_drift?}" "${exit_broken?}" "${exit_refused_live?}" "${exit_not_running?}" "${exit_damaged?}"

. webserver/shell/web-prelude.sh
. servers/shell/nginx-where-it-runs.sh
. webserver/apply-scripts/lock.sh
. webserver/apply-scripts/upstream-names.sh
. webserver/apply-scripts/judging.sh
. webserver/apply-scripts/nginx-process.sh
. webserver/apply-scripts/swap.sh

# Where the file is, and where its history is kept.
prepare_site() {
  find_nginx
  have nginx || missing nginx
  many_files
  plain_folder "$nginx_folder" 'configuration of nginx'
  nginx_folder=$folder
  site_file "$file"
  plain_folder "$root" root
  store=$folder/.quarterdeck/nginx
  work=$store/work
  tree=$work/tree
  live=$nginx_folder/$file
  to_prove=
  signalled=
  locked=
  back=
  set_places
  make_store
  trap finish EXIT
  trap 'exit 143' HUP INT TERM
  take_lock
  locked=yes
  make_work
}

drifted() {
  report found "$(sha256_of "$live")"
  rm -f "$temporary"
  fail "$exit_drift" "$live was changed on the server by something else. Nothing was changed."
}
unexpected() {
  if [ "$expected" = '*' ] || [ "$expected" = "$found" ] || [ "$found" = "$wanted" ]; then return 1; fi
  [ -z "$interrupted" ] || [ "$expected" != "$was" ]
}

# Cleans up on every exit except kill -9.
finish() {
  code=$?
  trap - EXIT
  trap '' HUP INT TERM
  if [ -n "$to_prove" ] && [ -n "$back" ]; then
    put_back_file
    [ -z "$signalled" ] || kill -HUP "$master" 2>/dev/null
  fi
  [ -z "$locked" ] || rm -rf "$work"
  let_go
  exit "$code"
}

# $1: exit code, $2: what is wrong. Restores the last good file and makes nginx load it.
undo() {
  if [ -z "$to_prove" ] || [ -z "$back" ]; then
    to_prove=
    fail "$1" "$2 The file was not changed."
  fi
  if ! put_back_file; then
    to_prove=
    fail "$exit_broken" "$2 The previous file could not be restored."
  fi
  if nginx -t >"$work/said" 2>&1 && { [ -z "$signalled" ] || ! find_master || reload; }; then
    report putBack "$back"
    fail "$1" "$2 The previous file was restored."
  fi
  sed 's/^/  /' "$work/said" >&2
  fail "$exit_broken" "$2 The previous file was restored, but nginx no longer accepts it either."
}

# The program that listens on port $1; empty if that cannot be found out.
holder_of() {
  # shellcheck disable=SC2013
  for inode in $(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port="$(printf ':%04X' "$1")" '$4 == "0A" && substr($2, length($2) - 4) == port { print $10 }'); do
    for one in /proc/[0-9]*; do
      # shellcheck disable=SC2010
      if ls -l "$one/fd" 2>/dev/null | grep -q -F "socket:[$inode]"; then
        cat "$one/comm"
        return
      fi
    done
  done
}
tell_holder() {
  busy=$(sed -n 's/.*bind() to .*:\([0-9][0-9]*\) failed (98.*/\1/p' "$work/said" | head -n 1)
  [ -z "$busy" ] || [ -n "$container" ] || report holder "$(holder_of "$busy")"
}

run_configuration() {
  if ! nginx -t >"$work/said" 2>&1; then
    tell_error "$work/said"
    undo "$exit_refused_live" 'nginx refused the configuration once it was installed.'
  fi
  if find_master; then
    signalled=yes
    if ! reload; then
      tell_error "$work/said"
      tell_holder
      undo "$exit_not_running" 'nginx could not run the new configuration, and keeps serving the previous one.'
    fi
    note 'The workers of nginx run it.'
  elif [ "$wanted" = - ]; then
    note 'nginx does not run. It was not started.'
  else
    note 'nginx does not run. Starting it.'
    if ! start_nginx; then
      tell_error "$work/said"
      tell_holder
      report stopped yes
      undo "$exit_not_running" 'nginx could not be started.'
    fi
    did 'started nginx'
  fi
  to_prove=
  keep "$proof" "$(proven_now)"
  rm -f "$journal"
  report sha256 "$wanted"
}

look_at_site() {
  if [ -d "$live" ]; then fail 2 "$live is a folder."; fi
  found=$(sha256_of "$live")
  [ -n "$found" ] || fail 73 "$live cannot be read."
  read_journal
  [ -z "$interrupted" ] || note 'An earlier change of this file was interrupted before nginx was seen to run it.'
  if unexpected; then drifted; fi
  report file "$live"
  report found "$found"
}
change_site() {
  back=
  if [ "$found" != "$wanted" ]; then
    keep_last_good
    put_in_place
  elif [ -n "$interrupted" ] && { [ "$was" = - ] || [ "$(sha256_of "$good")" = "$was" ]; }; then
    back=$was
    to_prove=yes
  fi
  run_configuration
}

go_live() {
  look_at_site
  if [ "$found" = "$wanted" ] && is_proven; then
    report state already
    report sha256 "$wanted"
    note "$live is up to date, and nginx runs it. Nothing was changed."
    exit 0
  fi
  write_names
  judge_where_it_runs
  change_site
  if [ "$found" = "$wanted" ]; then
    report state already
    note "$live was already up to date."
  else
    report state applied
    did "installed $live"
  fi
}

# Reports `state` applied or already, and on refusal `error`, `errorFile`, `errorLine`.
apply_site() {
  prepare_site
  printf '%s' "$text" >"$work/candidate" || fail 73 "$work cannot be written."
  [ "$(sha256_of "$work/candidate")" = "$wanted" ] || fail "$exit_damaged" 'The configuration arrived damaged on the server. Nothing was changed.'
  go_live
}

# Restores the earlier file byte for byte: from the server's own copy, or else from the text of the console.
put_back_site() {
  prepare_site
  if [ "$(sha256_of "$good")" = "$wanted" ]; then cat "$good"; else printf '%s' "$text"; fi >"$work/candidate" || fail 73 "$work cannot be written."
  [ "$(sha256_of "$work/candidate")" = "$wanted" ] || fail "$exit_damaged" "The previous configuration is neither stored in the console nor in $good. Nothing was changed."
  go_live
}

# Reports `state` removed or already.
remove_site() {
  wanted=-
  text=
  prepare_site
  look_at_site
  if [ "$found" = - ] && is_proven; then
    report state already
    report sha256 "$wanted"
    note "There is no $live, and nginx runs without it. Nothing was changed."
    exit 0
  fi
  judge_where_it_runs
  change_site
  if [ "$found" = - ]; then
    report state already
    note "$live was already removed."
  else
    report state removed
    did "removed $live"
  fi
}
