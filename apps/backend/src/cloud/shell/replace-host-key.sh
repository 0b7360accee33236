# Puts the new host key in the place of the present one, removes all others, and has sshd read it. Can run again.
#
# takes: (nothing)
set -eu
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
LC_ALL=C
export PATH LC_ALL

new=/etc/ssh/quarterdeck_new_host_key
place=
for file in $(sshd -T 2>/dev/null | sed -n 's/^hostkey //p'); do
  [ -f "$file" ] || continue
  if [ -z "$place" ] && ssh-keygen -lf "$file" | grep -q 'ED25519'; then
    place=$file
  elif [ -f "$new" ]; then
    rm -f "$file" "$file.pub"
  fi
done
[ -n "$place" ] || { echo 'sshd of this machine has no ed25519 host key.' >&2; exit 2; }
if [ -f "$new" ]; then
  mv -f "$new.pub" "$place.pub"
  mv -f "$new" "$place"
fi
sshd -t
systemctl restart ssh 2>/dev/null || systemctl restart sshd 2>/dev/null || service ssh restart
echo replaced
