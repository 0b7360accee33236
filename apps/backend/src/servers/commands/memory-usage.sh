. servers/shell/prelude.sh
. servers/commands/memory-table.sh

[ -r /proc/meminfo ] || fail 69 '/proc/meminfo is not readable on this server.'
memory_table
echo
echo 'Largest processes'
printf '%10s %8s  %s\n' 'MiB' 'pid' 'name'
grep -H '^VmRSS:' /proc/[0-9]*/status 2>/dev/null | sort -k 2 -r -n | head -n 10 | while read -r file kib unit; do
  pid=$(printf '%s\n' "$file" | cut -d / -f 3)
  name=$(cat "/proc/$pid/comm" 2>/dev/null) || continue
  printf '%10d %8s  %s\n' "$((kib / 1024))" "$pid" "$name"
done
exit 0
