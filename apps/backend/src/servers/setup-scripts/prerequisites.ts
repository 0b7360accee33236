import { packageFunctions } from './packages';
import { setupPrelude } from './setup-prelude';

/** Installs the tools that later steps need for downloads and archives. */
export const prerequisitesScript = String.raw`${setupPrelude}${packageFunctions}
wanted=
need() {
  name=$1
  shift
  if "$@" >/dev/null 2>&1; then note "$name is there."; else wanted="$wanted $name"; fi
}
has_certificates() { [ -s /etc/ssl/certs/ca-certificates.crt ] || [ -s /etc/pki/tls/certs/ca-bundle.crt ] || [ -s /etc/ssl/cert.pem ]; }
need ca-certificates has_certificates
need curl have curl
need tar have tar
if [ -z "$wanted" ]; then
  note 'Nothing to install.'
else
  # Names of packages, on purpose split into words.
  install_packages $wanted
fi
`;

/** $1, $2, $3: the folders of the server: root, static files, nginx configuration. */
export const foldersScript = String.raw`${setupPrelude}
make_folder() {
  folder=$1
  if [ -d "$folder" ]; then
    note "$folder is there ($2)."
    return
  fi
  if [ -e "$folder" ] || [ -L "$folder" ]; then fail 2 "$folder ($2) is there, but it is not a folder."; fi
  parent=$folder
  until [ -d "$parent" ]; do
    if [ -e "$parent" ]; then fail 2 "$folder ($2) cannot be made: $parent is not a folder."; fi
    parent=$(dirname -- "$parent")
  done
  # It belongs to whoever the folder around it belongs to: somebody's home stays theirs.
  owner=$(stat -c %u:%g -- "$parent") && mkdir -p -- "$folder" || fail 73 "$folder ($2) could not be made."
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
  did "made the folder $folder"
}
umask 022
nginx_is_valid() { have nginx && nginx -t >"$log" 2>&1; }
valid=
if nginx_is_valid; then valid=yes; fi
make_folder "$1" 'root'
make_folder "$2" 'static files'
make_folder "$3" 'configuration of nginx'

# nginx reads static files as an account of its own, which has to get there: on Debian /root lets nobody but root in. To
# pass is not to look: the folder's names stay unseen, and what is in it keeps its own rights.
inside=$2
while :; do
  case $(stat -L -c %A -- "$inside") in
    *[xt]) ;;
    *)
      chmod o+x -- "$inside" || fail 73 "nginx's account could not be let through $inside, to the files in $2."
      did "let nginx's account pass through $inside"
      ;;
  esac
  [ "$inside" = / ] && break
  inside=$(dirname -- "$inside")
done
`;
