# In: base, and port and path of the service. nginx is asked five times a second: if the engine is restarted, it also restarts an
# nginx in a container.

. servers/shell/nginx-container.sh
. deploys/deploy-scripts/asking.sh

lead_to() { ln -sfn "$1" "$base/.next" && mv -fT "$base/.next" "$base/current"; }
keep_version() {
  rm -f "$base/.before"
  [ ! -L "$base/current" ] || cp -P "$base/current" "$base/.before"
}
put_back() { if [ -L "$base/.before" ]; then lead_to "$(readlink "$base/.before")"; else rm -f "$base/current"; fi; }
site_answers() {
  tries=0
  until enter_network && asks; do
    tries=$((tries + 1))
    [ "$tries" -le 100 ] || return 1
    nap 0.2
  done
}
