# Goes after prelude.sh.

# Of the standard input.
sha256() {
  if have sha256sum; then sha256sum; else openssl dgst -sha256 -r; fi | sed 's/ .*//' | tr -d '\n'
}
# Of the file $1, or '-' if there is no file; empty if it cannot be read.
sha256_of() {
  if [ -f "$1" ] && [ -r "$1" ]; then sha256 <"$1"
  elif [ ! -e "$1" ] && [ ! -L "$1" ]; then printf '%s' -
  fi
}
