. servers/commands/nginx-testing.sh

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
# shellcheck disable=SC2086
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
  is_root || can_sudo || echo "$(id -un) is not root and cannot use sudo." >&2
  [ "$code" = 0 ] || { runs && state='still runs' || state='does not run'; fail "$code" "The test passed, but the restart failed. nginx $state."; }
fi
n=0
until runs; do
  n=$((n + 1))
  [ "$n" -gt 20 ] && fail 1 "'$how' reported no error, but nginx does not run. See its error log."
  sleep 0.1 2>/dev/null || sleep 1
done
echo "The test passed. Done: $how. nginx runs."
