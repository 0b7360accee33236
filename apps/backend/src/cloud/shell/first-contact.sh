# Makes a new host key, and says its public half. The first one was in the user data, which every process on the machine
# can read. Changes nothing that is in use, so it can run again.
#
# takes: (nothing)
set -eu
LC_ALL=C
export LC_ALL

new=/etc/ssh/quarterdeck_new_host_key
[ -f "$new" ] || ssh-keygen -q -t ed25519 -N '' -C '' -f "$new"
read -r algorithm key _ < "$new.pub"
echo "hostkey=$algorithm $key"
