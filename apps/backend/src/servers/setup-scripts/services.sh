# Starts services with the system's own tool: systemd, OpenRC, or scripts in /etc/init.d. Needs root. Goes after setup-prelude.sh.

started_by() {
  if [ -d /run/systemd/system ] && have systemctl && systemctl cat "$1" >/dev/null 2>&1; then echo systemd
  elif have rc-service && [ -e "/etc/init.d/$1" ]; then echo openrc
  elif have service && [ -x "/etc/init.d/$1" ]; then echo sysv
  fi
}

starts_with_server() {
  case $(started_by "$1") in
    systemd) systemctl is-enabled --quiet "$1" 2>/dev/null ;;
    openrc) rc-update show 2>/dev/null | grep -q "^ *$1 |" ;;
    sysv) ls /etc/rc[2345].d/S??"$1" >/dev/null 2>&1 ;;
    *) return 1 ;;
  esac
}

start_with_server() {
  case $(started_by "$1") in
    systemd) systemctl enable --quiet "$1" 2>"$log" ;;
    openrc) rc-update --quiet add "$1" default >"$log" 2>&1 ;;
    sysv) if have update-rc.d; then update-rc.d "$1" defaults >"$log" 2>&1; else chkconfig "$1" on >"$log" 2>&1; fi ;;
  esac
}

service_runs() {
  case $(started_by "$1") in
    systemd) systemctl is-active --quiet "$1" ;;
    openrc) rc-service --quiet "$1" status >/dev/null 2>&1 ;;
    sysv) service "$1" status >/dev/null 2>&1 ;;
    *) return 1 ;;
  esac
}

start_service() {
  case $(started_by "$1") in
    systemd) systemctl start "$1" ;;
    openrc) rc-service "$1" start ;;
    sysv) service "$1" start ;;
  esac >"$log" 2>&1 </dev/null
  code=$?
  [ "$code" = 0 ] && return 0
  cat "$log" >&2
  [ "$(started_by "$1")" = systemd ] && systemctl status "$1" --no-pager --lines 20 2>&1 | sed 's/^/  /' >&2
  return "$code"
}

process_runs() { grep -q -s -x "$1" /proc/[0-9]*/comm; }
