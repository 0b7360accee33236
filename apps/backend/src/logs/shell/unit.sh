# Goes after prelude.sh.

# $1: a unit. One that was removed may have left entries.
has_unit() {
  have journalctl || missing journalctl
  case $(systemctl show --property=LoadState --value -- "$1" 2>/dev/null) in
    '' | not-found) [ -n "$(journalctl --quiet --no-pager --lines=1 --unit="$1" 2>/dev/null)" ] ;;
  esac
}
