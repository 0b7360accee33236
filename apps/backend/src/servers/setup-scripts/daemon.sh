. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/services.sh
. servers/setup-scripts/docker-versions.sh

how=$(started_by docker)
if version=$(server_version); then
  note "The engine runs: $version."
  [ -z "$how" ] || starts_with_server docker || warn 'It does not start with the server.'
  exit 0
fi
[ -n "$how" ] || fail 69 'This server has no service manager, so the engine cannot be started.'
if starts_with_server docker; then
  note "The engine starts with the server ($how)."
else
  start_with_server docker || { cat "$log" >&2; fail 1 "The engine could not be enabled to start with the server ($how)."; }
  did 'docker starts with the server'
fi
start_service docker || fail 1 'The engine could not be started. The lines above say why.'
tries=0
until version=$(server_version); do
  tries=$((tries + 1))
  if [ "$tries" -gt 60 ]; then
    docker version 2>&1 | tail -n 3 | sed 's/^/  /' >&2
    have journalctl && journalctl --unit docker --lines 20 --no-pager 2>/dev/null | sed 's/^/  /' >&2
    fail 69 'The engine was started, but does not answer.'
  fi
  sleep 1
done
did 'started docker'
note "The engine runs: $version."
