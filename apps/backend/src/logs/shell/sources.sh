# Prints which logs there are: `container name|state|service`, `unit name|state`, `nginx access`, `nginx error`, and `problem` with a
# sentence.

. servers/shell/prelude.sh
. logs/shell/log-files.sh

max_each=500

if have docker; then
  if said=$(as_root docker ps --all --format 'container {{.Names}}|{{.Status}}|{{.Label "quarterdeck.service"}}' 2>&1); then
    [ -z "$said" ] || printf '%s\n' "$said" | head -n $max_each
  else
    printf '%s\n' "$said" | tr '\n' ' ' | sed 's/^/problem Docker did not list its containers: /'
    echo
  fi
fi
if have systemctl && units=$(systemctl list-units --type=service --all --no-legend --no-pager --plain 2>/dev/null); then
  printf '%s\n' "$units" | awk '$2 == "loaded" { print "unit " $1 "|" $3 " (" $4 ")" }' | head -n $max_each
fi
for log in access error; do
  # shellcheck disable=SC2034
  suffix=$log.log
  [ ! -f "$(nginx_log)" ] || echo "nginx $log"
done
exit 0
