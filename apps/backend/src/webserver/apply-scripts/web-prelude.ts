import { tellingPrelude } from '../../servers';

export const sha256Functions = String.raw`# Of what comes in.
sha256() {
  if have sha256sum; then sha256sum; else openssl dgst -sha256 -r; fi | sed 's/ .*//' | tr -d '\n'
}
# Of the file $1, or '-' where there is none; empty when it cannot be read.
sha256_of() {
  if [ -f "$1" ] && [ -r "$1" ]; then sha256 <"$1"
  elif [ ! -e "$1" ] && [ ! -L "$1" ]; then printf '%s' -
  fi
}
`;

/** The beginning of every script about the web server. */
export const webPrelude = String.raw`${tellingPrelude}

${sha256Functions}
# What nginx was built with as --$1.
built_in() { nginx -V 2>&1 | tr ' ' '\n' | sed -n "s,^--$1=,,p" | head -n 1; }
# Sets folder to $1 without slashes at its end. What means something to nginx cannot stand in its name.
plain_folder() {
  folder=$(printf '%s' "$1" | sed 's,//*$,,')
  case $folder in
    /*) ;;
    *) fail 2 "The folder $1 ($2) has to begin with a slash." ;;
  esac
  case $(printf '%s' "$folder" | tr -d 'A-Za-z0-9/._@:+,=~% -' | tr -d '\200-\377') in
    '') ;;
    *) fail 2 "nginx cannot be given the folder $1 ($2): there are characters in it that mean something else there." ;;
  esac
  [ -d "$folder" ] || fail 2 "There is no folder $1 ($2) on this server. 'Initialize Server' makes it."
}
site_file() {
  case $1 in
    '' | .* | -* | *[!A-Za-z0-9._-]*) fail 2 "$1 cannot be the name of a site's file." ;;
    *.conf) ;;
    *) fail 2 "The name of a site's file ends with .conf, and $1 does not." ;;
  esac
}
`;
