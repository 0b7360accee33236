. servers/shell/prelude.sh
. servers/shell/nginx-container.sh

find_nginx_container
[ -n "$container" ] || have nginx || missing nginx
many_files
# Opens the logs and certificates that it names: without root that fails on most servers.
test_nginx() {
  # shellcheck disable=SC2086
  as_root $nginx -t
  code=$?
  [ "$code" = 0 ] && return 0
  is_root || can_sudo || echo "Tested as $(id -un), which is not root and cannot use sudo. Errors that say 'Permission denied' may have no other cause." >&2
  return "$code"
}
