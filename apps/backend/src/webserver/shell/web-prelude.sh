# The beginning of every script about the web server.

. servers/shell/telling.sh
. webserver/shell/sha256.sh

# What nginx was built with as --$1.
built_in() { nginx -V 2>&1 | tr ' ' '\n' | sed -n "s,^--$1=,,p" | head -n 1; }
# Sets folder to $1 without slashes at its end. Its name cannot contain characters with a special meaning to nginx.
plain_folder() {
  folder=$(printf '%s' "$1" | sed 's,//*$,,')
  case $folder in
    /*) ;;
    *) fail 2 "The folder $1 ($2) must begin with a slash." ;;
  esac
  case $(printf '%s' "$folder" | tr -d 'A-Za-z0-9/._@:+,=~% -' | tr -d '\200-\377') in
    '') ;;
    *) fail 2 "The folder $1 ($2) cannot be used: its name contains characters with a special meaning in the configuration of nginx." ;;
  esac
  [ -d "$folder" ] || fail 2 "There is no folder $1 ($2) on this server. 'Initialize Server' creates it."
}
site_file() {
  case $1 in
    '' | .* | -* | *[!A-Za-z0-9._-]*) fail 2 "$1 cannot be the name of a site's file." ;;
    *.conf) ;;
    *) fail 2 "The name of a site's file must end with .conf: $1" ;;
  esac
}
