import { findNginxContainer } from './nginx-container';
import { prelude } from './script-prelude';

const nginxTest = String.raw`${prelude}${findNginxContainer}
[ -n "$container" ] || have nginx || missing nginx
many_files
# Opens the logs and certificates that it names: without root that fails on most servers.
test_nginx() {
  as_root $nginx -t
  code=$?
  [ "$code" = 0 ] && return 0
  is_root || can_sudo || echo "Tested as $(id -un), who is not root and may not use sudo: what says 'Permission denied' may be that alone." >&2
  return "$code"
}
`;

export const nginxTestScript = `${nginxTest}
test_nginx
`;

export const nginxTestAndRestartScript = String.raw`${nginxTest}
runs() { grep -q -s -x nginx /proc/[0-9]*/comm; }
did() { printf '%s\n' "$1: $2"; }

test_nginx || fail 1 'The test failed. nginx was not touched.'
if [ -n "$container" ]; then
  how="docker restart $container"
elif [ -d /run/systemd/system ] && have systemctl && systemctl cat nginx >/dev/null 2>&1; then
  how='systemctl restart nginx'
elif have rc-service && [ -e /etc/init.d/nginx ]; then
  how='rc-service nginx restart'
elif have service && [ -x /etc/init.d/nginx ]; then
  how='service nginx restart'
elif runs; then
  how='nginx -s reload'
else
  how='nginx'
fi
# One of the six lines above, on purpose split into words.
as_root $how </dev/null
code=$?
if [ "$code" != 0 ]; then
  echo "'$how' failed with exit code $code." >&2
  if [ "$how" = 'systemctl restart nginx' ]; then
    as_root systemctl status nginx --no-pager --lines 20
  elif ! runs && [ "$how" != nginx ]; then
    # Such a script may have stopped nginx and then say no more than "failed".
    echo 'Trying to start nginx itself.'
    as_root nginx && code=0 && how='nginx'
  fi
  is_root || can_sudo || echo "$(id -un) is not root and may not use sudo." >&2
  [ "$code" = 0 ] || { runs && state='still runs' || state='does not run'; fail "$code" "The test passed, but the restart failed. nginx $state."; }
fi
n=0
until runs; do
  n=$((n + 1))
  [ "$n" -gt 20 ] && fail 1 "'$how' said nothing, but nginx does not run. See its error log."
  sleep 0.1 2>/dev/null || sleep 1
done
echo "The test passed. Done: $how. nginx runs."
`;

export const nginxLogsScript = String.raw`${prelude}${findNginxContainer}
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
    echo "The account $(id -un) may not read $1."
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
[ "$first" = 2 ] && fail 126 'Neither log may be read.'
fail 2 'There are no logs of nginx on this server.'
`;
