import { findNginxContainer } from '../commands/nginx-container';
import { packageFunctions } from './packages';
import { serviceFunctions } from './services';
import { setupPrelude } from './setup-prelude';

/** If nginx runs in a container, the compose file already provides what these scripts would set up. */
export const unlessInContainer = `${findNginxContainer}
if [ -n "$container" ]; then
  note "nginx runs in the container $container, and stays as it is."
  exit 0
fi
`;

export const nginxScript = String.raw`${setupPrelude}${packageFunctions}${unlessInContainer}
version() { nginx -v 2>&1 | sed 's,^.*nginx/,,; s/ .*//'; }
if have nginx; then
  note "nginx $(version) is there, and stays as it is."
else
  install_packages nginx
  have nginx || fail 127 'The package nginx was installed, but there is no nginx.'
  note "nginx $(version) is installed."
fi
`;

export const nginxServiceScript = String.raw`${setupPrelude}${serviceFunctions}${unlessInContainer}
how=$(started_by nginx)
many_files

# A site has two logs, each of its locations two more, and nginx keeps them open, twice while it reads its configuration
# again: of 1,024 files, which is what it gets by default, fifty sites are too many.
files=65536
more_files() {
  case $how in
    systemd)
      limit=$(systemctl show --property LimitNOFILESoft --value nginx)
      [ "$limit" != infinity ] && [ "$limit" -lt "$files" ] || return 0
      folder=/etc/systemd/system/nginx.service.d
      { mkdir -p "$folder" && printf '[Service]\nLimitNOFILE=%s\n' "$files" >"$folder/quarterdeck.conf"; } || fail 73 "$folder cannot be written."
      systemctl daemon-reload || fail 1 'systemd could not be told to read its configuration again.'
      ;;
    openrc)
      ! grep -q -s '^rc_ulimit=' /etc/conf.d/nginx || return 0
      printf 'rc_ulimit="-n %s"\n' "$files" >>/etc/conf.d/nginx || fail 73 '/etc/conf.d/nginx cannot be written.'
      ;;
    *) return 0 ;;
  esac
  did "nginx may keep $files files open"
  # For the one that runs, whose workers are born with its limit: without a moment in which it does not run.
  for master in $(grep -s -l '^nginx: master process' /proc/[0-9]*/cmdline | cut -d / -f 3); do
    [ "/proc/$master/root/." -ef /. ] || continue
    most=$(awk '/^Max open files/ { print $5 }' "/proc/$master/limits")
    prlimit --pid "$master" --nofile="$files" 2>/dev/null || prlimit --pid "$master" --nofile="$most" 2>"$log" ||
      warn "That holds for nginx from its next start on: $(cat "$log")"
  done
}
more_files

if [ -z "$how" ]; then
  warn 'Nothing here starts services: nginx will not come back by itself when the server is restarted.'
elif starts_with_server nginx; then
  note "nginx starts with the server ($how)."
elif start_with_server nginx; then
  did 'nginx starts with the server'
else
  cat "$log" >&2
  fail 1 "nginx could not be made to start with the server ($how)."
fi

if service_runs nginx; then
  note 'nginx runs.'
elif process_runs nginx; then
  note 'nginx runs, but was not started as a service. It is left as it is.'
elif [ -n "$how" ]; then
  start_service nginx || fail 1 'nginx could not be started. The lines above say why.'
  did 'started nginx'
else
  nginx >"$log" 2>&1 </dev/null || { cat "$log" >&2; fail 1 'nginx could not be started. The lines above say why.'; }
  did 'started nginx'
fi
`;

export const certbotScript = String.raw`${setupPrelude}${packageFunctions}
version() { certbot --version 2>&1 | sed -n 's/^certbot //p'; }
if have certbot; then
  note "certbot $(version) is there, and stays as it is."
  exit 0
fi
case $package_manager in
  apk) install_packages certbot certbot-nginx ;;
  *) install_packages certbot python3-certbot-nginx ;;
esac
have certbot || fail 127 'The package certbot was installed, but there is no certbot.'
note "certbot $(version) is installed."
`;
