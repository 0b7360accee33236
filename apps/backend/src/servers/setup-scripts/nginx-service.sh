. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/services.sh
. servers/setup-scripts/unless-in-container.sh

how=$(started_by nginx)
many_files

# Every site and every location keeps two log files open, and four during a reload. With the default limit of 1,024 open
# files, about fifty sites exhaust it.
files=65536
more_files() {
  case $how in
    systemd)
      limit=$(systemctl show --property LimitNOFILESoft --value nginx)
      [ "$limit" != infinity ] && [ "$limit" -lt "$files" ] || return 0
      folder=/etc/systemd/system/nginx.service.d
      { mkdir -p "$folder" && printf '[Service]\nLimitNOFILE=%s\n' "$files" >"$folder/quarterdeck.conf"; } || fail 73 "$folder cannot be written."
      systemctl daemon-reload || fail 1 'systemd could not be reloaded (systemctl daemon-reload).'
      ;;
    openrc)
      ! grep -q -s '^rc_ulimit=' /etc/conf.d/nginx || return 0
      printf 'rc_ulimit="-n %s"\n' "$files" >>/etc/conf.d/nginx || fail 73 '/etc/conf.d/nginx cannot be written.'
      ;;
    *) return 0 ;;
  esac
  did "nginx may keep $files files open"
  # Raises the limit of the running master. New workers inherit it, so no restart is needed.
  # shellcheck disable=SC2013
  for master in $(grep -s -l '^nginx: master process' /proc/[0-9]*/cmdline | cut -d / -f 3); do
    [ "/proc/$master/root/." -ef /. ] || continue
    most=$(awk '/^Max open files/ { print $5 }' "/proc/$master/limits")
    prlimit --pid "$master" --nofile="$files" 2>/dev/null || prlimit --pid "$master" --nofile="$most" 2>"$log" ||
      warn "The new limit applies from the next start of nginx: $(cat "$log")"
  done
}
more_files

if [ -z "$how" ]; then
  warn 'This server has no service manager: nginx will not start by itself after a restart of the server.'
elif starts_with_server nginx; then
  note "nginx starts with the server ($how)."
elif start_with_server nginx; then
  did 'nginx starts with the server'
else
  cat "$log" >&2
  fail 1 "nginx could not be enabled to start with the server ($how)."
fi

if service_runs nginx; then
  note 'nginx runs.'
elif process_runs nginx; then
  note 'nginx runs, but was not started as a service. It is left unchanged.'
elif [ -n "$how" ]; then
  start_service nginx || fail 1 'nginx could not be started. The lines above say why.'
  did 'started nginx'
else
  nginx >"$log" 2>&1 </dev/null || { cat "$log" >&2; fail 1 'nginx could not be started. The lines above say why.'; }
  did 'started nginx'
fi
