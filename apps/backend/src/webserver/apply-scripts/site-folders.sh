# Creates the folders that a site's configuration uses: nginx creates files, but no folders. Positional parameters: folders to
# create if they are missing, with access for nginx's own account; after `--` those that must exist. Creates nothing if one of
# those is missing.

. webserver/shell/web-prelude.sh

umask 022
named=
for folder; do
  if [ "$folder" = -- ]; then named=yes; continue; fi
  [ -n "$named" ] || continue
  [ -d "$folder" ] && continue
  report missing "$folder"
  fail 2 "There is no folder $folder on this server."
done
for folder; do
  [ "$folder" != -- ] || break
  if [ -d "$folder" ]; then
    note "$folder exists."
  else
    mkdir -p -- "$folder" || fail 73 "$folder could not be created."
    did "created the folder $folder"
  fi
done
