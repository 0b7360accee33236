. servers/shell/prelude.sh
. servers/shell/nginx-container.sh

find_nginx_container
if [ -n "$container" ]; then
  echo "== the container $container (last 100 lines)"
  as_root docker logs --tail 100 "$container" 2>&1
  exit
fi
built_in() { nginx -V 2>&1 | tr ' ' '\n' | sed -n "s,^--$1-log-path=,,p"; }
show() {
  echo "== $1 (last 100 lines)"
  # A container's log may be a link to its standard output, which tail would wait for.
  if ! as_root test -f "$1"; then
    echo "There is no file $1."
    return 1
  fi
  if ! as_root test -r "$1"; then
    echo "The account $(id -un) has no permission to read $1."
    return 2
  fi
  as_root test -s "$1" || echo '(empty)'
  as_root tail -n 100 "$1"
}
error_log=/var/log/nginx/error.log
access_log=/var/log/nginx/access.log
if have nginx; then
  as_root test -f "$error_log" || { said=$(built_in error) && [ -n "$said" ] && error_log=$said; }
  as_root test -f "$access_log" || { said=$(built_in http) && [ -n "$said" ] && access_log=$said; }
elif ! as_root test -d /var/log/nginx; then
  missing nginx
fi
show "$error_log"
first=$?
echo
show "$access_log"
second=$?
[ "$first" = 0 ] || [ "$second" = 0 ] && exit 0
[ "$first" = 2 ] && fail 126 'The account has no permission to read the logs.'
fail 2 'There are no nginx logs on this server.'
