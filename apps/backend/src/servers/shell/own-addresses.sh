# Goes after prelude.sh. Prints `address=` for each address, and `addresses=all` after the last one; one more than
# own-addresses.ts accepts. Temporary addresses change every day, and those of container networks are not the server's.

if have ip; then
  own=$(ip -o addr show scope global 2>/dev/null) && {
    printf '%s\n' "$own" | awk '
      $2 ~ /^(docker|br-|veth|virbr|cni|flannel|cali|podman|lxc|lxd)/ || / temporary/ { next }
      $3 == "inet" || $3 == "inet6" { sub(/\/.*/, "", $4); print "address=" $4 }' | head -n 201
    echo addresses=all
  }
elif own=$(hostname -I 2>/dev/null); then
  # shellcheck disable=SC2086
  printf '%s\n' $own | sed -n 's/^..*/address=&/p' | head -n 201
  echo addresses=all
fi
