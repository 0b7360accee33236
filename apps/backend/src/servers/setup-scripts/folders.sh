# Creates the folders of the server that are missing.

: "${root?}" "${static?}" "${nginx_folder?}"

. servers/setup-scripts/setup-prelude.sh

make_folder() {
  folder=$1
  if [ -d "$folder" ]; then
    note "$folder exists ($2)."
    return
  fi
  if [ -e "$folder" ] || [ -L "$folder" ]; then fail 2 "$folder ($2) exists, but is not a folder."; fi
  parent=$folder
  until [ -d "$parent" ]; do
    if [ -e "$parent" ]; then fail 2 "$folder ($2) cannot be created: $parent is not a folder."; fi
    parent=$(dirname -- "$parent")
  done
  # It belongs to whoever the folder around it belongs to: somebody's home stays theirs.
  owner=$(stat -c %u:%g -- "$parent") && mkdir -p -- "$folder" || fail 73 "$folder ($2) could not be created."
  made=$folder
  until [ "$made" = "$parent" ]; do
    chown -- "$owner" "$made"
    made=$(dirname -- "$made")
  done
  # An include such as sites-enabled/* takes a folder for a file: nginx would not start again.
  if [ -n "$valid" ] && ! nginx_is_valid; then
    sed 's/^/  /' "$log" >&2
    made=$folder
    until [ "$made" = "$parent" ]; do
      rmdir -- "$made"
      made=$(dirname -- "$made")
    done
    fail 2 "$folder ($2) cannot be a folder: nginx reads everything in $parent as files of its configuration. Nothing was changed there."
  fi
  did "created the folder $folder"
}
umask 022
nginx_is_valid() { have nginx && nginx -t >"$log" 2>&1; }
valid=
if nginx_is_valid; then valid=yes; fi
make_folder "$root" 'root'
make_folder "$static" 'static files'
make_folder "$nginx_folder" 'configuration of nginx'

# nginx reads static files with an account of its own, which needs access to each folder above them: on Debian, only root
# may enter /root. The permission x does not allow listing a folder, and the files in it keep their own permissions.
inside=$static
while :; do
  case $(stat -L -c %A -- "$inside") in
    *[xt]) ;;
    *)
      chmod o+x -- "$inside" || fail 73 "The account of nginx could not be given access through $inside to the files in $static."
      did "gave the account of nginx access through $inside"
      ;;
  esac
  [ "$inside" = / ] && break
  inside=$(dirname -- "$inside")
done
