/**
 * The scripts of a deploy of a client package: a folder for each version, and a link that points to the one that
 * serves. Each script may run again after it was killed at any line.
 */
import { findNginxContainer, tellingPrelude } from '../../servers';
import { applyScript, removeScript } from '../../webserver';
import { askFunctions, deployExit, roomFunctions } from './prelude';

/** The umask lets nginx read the files that the script writes. */
export const clientPrelude = `${tellingPrelude}
${roomFunctions}
umask 022
base=$1
shift
`;

/**
 * Arguments: the folder of the service, the version's folder in it, the folder in the package that is served, the
 * address of the tarball if the registry has it, its SHA-512, a token for that address or nothing, and the id of the
 * release. The token is never on a command line or in a file that remains.
 */
export const downloadScript = String.raw`${clientPrelude}
name=$1
folder=$2
tarball=$3
sha512=$4
token=$5
release=$6
have curl || missing curl
have tar || missing tar
mkdir -p "$base" || fail 73 "$base cannot be made."
# What attempts left that were killed: one deploy of a service is under way at a time.
rm -rf "$base"/.new-*

if [ -d "$base/$name" ]; then note "$name is on this server already."
else
  [ -n "$tarball" ] || fail ${deployExit.registry} 'The registry does not have the package now, and nor does this server.'
  new=$base/.new-$release
  trap 'rm -rf "$new"' EXIT
  trap 'exit 143' HUP INT TERM
  mkdir -p "$new/files" || fail 73 "$new cannot be made."
  note "Downloading $tarball"
  with_token() { [ -z "$token" ] || printf 'header = "Authorization: Bearer %s"\n' "$(printf '%s' "$token" | sed 's/[\\"]/\\&/g')"; }
  with_token | curl --config - --silent --show-error --fail --location --max-redirs 5 --proto =http,https --retry 2 --connect-timeout 30 --max-time 1500 --output "$new/package" "$tarball" 2>"$new/said"
  code=$?
  sed 's/^/  /' "$new/said" >&2
  case $code in
    0) ;;
    22) case $(cat "$new/said") in
      *40[13]*) fail ${deployExit.login} 'The registry refused the stored token.' ;;
      *) fail ${deployExit.pull} "The package cannot be downloaded from $tarball." ;;
    esac ;;
    # What came could not be written.
    23) refuse_full 'No space left on device' ;;
    *) fail ${deployExit.registry} "The registry does not answer at $tarball as it should." ;;
  esac
  printf '%s  %s\n' "$sha512" "$new/package" | sha512sum -c >/dev/null 2>&1 || fail ${deployExit.damaged} 'The downloaded package does not have the checksum that the registry states.'
  # With the time of today: npm gives every file the same one, and browsers would take a new file for the old one.
  if ! said=$(tar -x -z -m -o -f "$new/package" -C "$new/files" 2>&1); then
    printf '%s\n' "$said" | head -n 5 | sed 's/^/  /' >&2
    refuse_full "$said"
    fail ${deployExit.damaged} 'The package cannot be unpacked.'
  fi
  # npm calls it package, others call it differently.
  set -- "$new"/files/*
  [ $# = 1 ] && [ -d "$1" ] || fail ${deployExit.damaged} 'The package is not one folder, as npm makes it.'
  # A link would show visitors a file from elsewhere.
  [ -z "$(find "$1" ! -type f ! -type d | head -n 1)" ] || fail ${deployExit.damaged} 'The package has links or special files in it.'
  chmod -R u=rwX,go=rX "$1"
  mv "$1" "$base/$name" || fail 73 "$base/$name cannot be written."
  did "unpacked $name"
fi
[ -f "$base/$name/${'${folder:-.}'}/index.html" ] || fail ${deployExit.noPage} "The package has no index.html in ${'${folder:-its root}'}."
`;

/** How often nginx is asked, five times a second: an engine that is restarted restarts an nginx in a container, too. */
const TIMES_ASKED = 100;

/** In: base, and port and path of the service. */
export const siteFunctions = String.raw`${findNginxContainer}
${askFunctions}
lead_to() { ln -sfn "$1" "$base/.next" && mv -fT "$base/.next" "$base/current"; }
keep_version() {
  rm -f "$base/.before"
  [ ! -L "$base/current" ] || cp -P "$base/current" "$base/.before"
}
put_back() { if [ -L "$base/.before" ]; then lead_to "$(readlink "$base/.before")"; else rm -f "$base/current"; fi; }
site_answers() {
  tries=0
  until enter_network && asks; do
    tries=$((tries + 1))
    [ "$tries" -le ${TIMES_ASKED} ] || return 1
    nap 0.2
  done
}
`;

/**
 * Arguments: the folder of the service, the version's folder in it, the folder in the package that is served, port and
 * path of the service, the folder of sites, the file of the proxy there, the root folder, the SHA-256 of the proxy, and
 * the proxy. The proxy is the same for every version. The link is swapped last, and atomically.
 */
export const swapScript = String.raw`${clientPrelude}
name=$1
target=$1${'${2:+/$2}'}
port=$3
path=$4
shift 4
(
  set -- "$1" "$2" "$3" '*' "$4" "$5"
${applyScript}
) || exit

${siteFunctions}
# The version that serves now is what a version that fails is taken back to, by whatever step finds that out.
[ "$(readlink "$base/current")" = "$target" ] || keep_version
trap 'put_back; exit 143' HUP INT TERM
lead_to "$target" || fail 73 "$base/current cannot be written."
report files "$base/current"
if ! site_answers; then
  put_back
  fail ${deployExit.unhealthy} "nginx does not answer at http://127.0.0.1:$port$path with the files in $base."
fi
# It serves: a cancel comes too late.
trap '' HUP INT TERM
touch "$base/$name.served"
did "led $base/current to $target"
`;

/** Arguments: the folder of the service, the folder of the serving version, and how many served versions to keep. */
export const tidyScript = String.raw`${clientPrelude}
name=$1
keep=$2
cd "$base" || fail 2 "There is no folder $base."
case $(readlink current)/ in
  "$name"/*) ;;
  *) fail 1 'Another version serves by now. Nothing was removed.' ;;
esac
# From now on nobody takes this version back.
rm -f .before
kept=1
for one in $(ls -t *.served); do
  one=${'${one%.served}'}
  [ "$one" != "$name" ] || continue
  kept=$((kept + 1))
  [ "$kept" -gt "$keep" ] || continue
  rm -rf "$one" "$one.served"
  note "Removed $one."
done
for one in */; do
  one=${'${one%/}'}
  [ -L "$one" ] || [ -e "$one.served" ] || rm -rf "$one"
done
`;

/** Arguments: the folder of the service, the folder of sites, the file of the proxy there, and the root folder. */
export const stopClientScript = String.raw`${clientPrelude}
(
  set -- "$1" "$2" "$3" '*' -
${removeScript}
) || exit
rm -rf "$base" || fail 73 "$base cannot be removed."
note 'Its proxy and its files are gone.'
`;
