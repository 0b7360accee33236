# `base`: the folder of the service, `name`: the version's folder in it, `folder`: the folder in the package that is served,
# `tarball`: its address if the registry has it, `token`: one for that address or nothing. The token is never on a command line or
# in a file that remains.

: "${base?}" "${name?}" "${folder?}" "${tarball?}" "${sha512?}" "${token?}" "${release?}" "${exit_registry?}"
: "${exit_login?}" "${exit_pull?}" "${exit_damaged?}" "${exit_no_page?}"

. deploys/deploy-scripts/client-prelude.sh

have curl || missing curl
have tar || missing tar
mkdir -p "$base" || fail 73 "$base cannot be created."
# Remains of killed attempts: only one deploy of a service is under way at a time.
rm -rf "$base"/.new-*

if [ -d "$base/$name" ]; then note "$name is already on this server."
else
  [ -n "$tarball" ] || fail "$exit_registry" 'The registry does not have the package now, and neither does this server.'
  new=$base/.new-$release
  trap 'rm -rf "$new"' EXIT
  trap 'exit 143' HUP INT TERM
  mkdir -p "$new/files" || fail 73 "$new cannot be created."
  note "Downloading $tarball"
  with_token() { [ -z "$token" ] || printf 'header = "Authorization: Bearer %s"\n' "$(printf '%s' "$token" | sed 's/[\\"]/\\&/g')"; }
  with_token | curl --config - --silent --show-error --fail --location --max-redirs 5 --proto =http,https --retry 2 --connect-timeout 30 --max-time 1500 --output "$new/package" "$tarball" 2>"$new/said"
  code=$?
  sed 's/^/  /' "$new/said" >&2
  case $code in
    0) ;;
    22) case $(cat "$new/said") in
      *40[13]*) fail "$exit_login" 'The registry refused the stored token.' ;;
      *) fail "$exit_pull" "The package cannot be downloaded from $tarball." ;;
    esac ;;
    # The download could not be written.
    23) refuse_full 'No space left on device' ;;
    *) fail "$exit_registry" "The registry does not answer correctly at $tarball." ;;
  esac
  printf '%s  %s\n' "$sha512" "$new/package" | sha512sum -c >/dev/null 2>&1 || fail "$exit_damaged" 'The downloaded package does not have the checksum that the registry states.'
  # With the current time: npm gives every file the same time, so browsers would take a new file for the old one.
  if ! said=$(tar -x -z -m -o -f "$new/package" -C "$new/files" 2>&1); then
    printf '%s\n' "$said" | head -n 5 | sed 's/^/  /' >&2
    refuse_full "$said"
    fail "$exit_damaged" 'The package cannot be unpacked.'
  fi
  # npm calls it package, others call it differently.
  set -- "$new"/files/*
  [ $# = 1 ] && [ -d "$1" ] || fail "$exit_damaged" 'The package is not a single folder, as npm creates it.'
  # A link would show visitors a file from elsewhere.
  [ -z "$(find "$1" ! -type f ! -type d | head -n 1)" ] || fail "$exit_damaged" 'The package contains links or special files.'
  chmod -R u=rwX,go=rX "$1"
  mv "$1" "$base/$name" || fail 73 "$base/$name cannot be written."
  did "unpacked $name"
fi
[ -f "$base/$name/${folder:-.}/index.html" ] || fail "$exit_no_page" "The package has no index.html in ${folder:-its root}."
