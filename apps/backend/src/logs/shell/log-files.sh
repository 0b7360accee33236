# Goes after prelude.sh. Sets the positional parameters of its caller by `name_log_files` and then `eval "$log_files"`: the files whose names end with
# .$suffix in the folder `folder`, or without a folder, nginx's own log, access or error.

nginx_log() {
  path=/var/log/nginx/$suffix
  if [ -f "$path" ] || ! have nginx; then
    printf '%s\n' "$path"
    return
  fi
  option=http-log-path
  [ "$suffix" != error.log ] || option=error-log-path
  path=$(nginx -V 2>&1 | tr ' ' '\n' | sed -n "s,^--$option=,,p" | head -n 1)
  printf '%s\n' "${path:-/var/log/nginx/$suffix}"
}
name_log_files() {
  if [ -n "$folder" ]; then
    # shellcheck disable=SC2034
    log_files='set -- "$folder"/*."$suffix"'
  else
    own_log=$(nginx_log)
    # shellcheck disable=SC2034
    log_files='set -- "$own_log"'
  fi
}
