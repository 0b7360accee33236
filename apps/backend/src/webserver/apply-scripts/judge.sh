# In: what staged-tree.sh needs, live.

: "${exit_not_read?}" "${exit_broken_before?}" "${exit_refused?}" "${exit_conflict?}"

. webserver/apply-scripts/staged-tree.sh

judge() {
  build_tree
  if [ "$wanted" != - ] && ! is_read; then
    fail "$exit_not_read" "nginx does not read $nginx_folder/*.conf. 'Initialize Server' adds the include."
  fi
  if ! test_tree; then
    tell_error "$work/said"
    case $place in
      "$live":*) ;;
      *) nginx -t >/dev/null 2>&1 || fail "$exit_broken_before" "The configuration of nginx was already invalid. Nothing was changed." ;;
    esac
    fail "$exit_refused" 'nginx refuses the new configuration. Nothing was changed.'
  fi
  if [ "$wanted" != - ] && name=$(conflicting_name); then
    sed 's/^/  /' "$work/said" >&2
    others=$(grep -v -x -F -f "$work/placed" "$work/seen" | while IFS= read -r one; do grep -l -w -F -e "$name" "$one" 2>/dev/null; done | head -n 3)
    report error "conflicting server name \"$name\""
    report conflict "$name"
    report conflictFiles "$(printf '%s' "$others" | tr '\n' ' ')"
    fail "$exit_conflict" "Another site of this server already answers for $name, and nginx would ignore one of the two. Nothing was changed."
  fi
  note 'The test of the new configuration passed.'
}
