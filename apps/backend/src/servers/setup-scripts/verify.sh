# Runs a container from an image that is built from the server's own shell. Nothing is pulled. `changes`: what the run has
# changed so far, one per line.

: "${changes?}"

. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/docker-versions.sh

image=quarterdeck-check:$$
folder=$(mktemp -d) || fail 73 'No temporary folder can be created on this server.'
trap 'docker image rm -f "$image" >/dev/null 2>&1; rm -rf "$folder" "$log"' EXIT

mkdir "$folder/bin" && cp -L /bin/sh "$folder/bin/sh" || fail 73 'The shell of this server could not be copied.'
for library in $(ldd /bin/sh 2>/dev/null | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^\//) { sub(/:$/, "", $i); print $i } }' | sort -u); do
  mkdir -p "$folder$(dirname "$library")" && cp -L "$library" "$folder$library"
done
tar -C "$folder" -c -f - . | docker import - "$image" >"$log" 2>&1 || { cat "$log" >&2; fail 1 'No image could be created from the shell of this server.'; }
said=$(docker run --rm --network none "$image" /bin/sh -c 'echo "from inside: $((6 * 7))"' 2>"$log")
code=$?
if [ "$code" != 0 ] || [ "$said" != 'from inside: 42' ]; then
  cat "$log" >&2
  fail 1 "The test container failed with exit code $code."
fi
note 'A test container ran. It and its image were removed.'

engine=$(server_version) || fail 69 'The engine no longer answers.'
report engine "$engine"
note "Engine $engine"
if compose=$(compose_version); then
  report compose "$compose"
  note "Compose $compose"
fi
if [ -z "$changes" ]; then
  note 'Everything was in place. Nothing was changed.'
else
  note 'Changed:'
  printf '%s\n' "$changes" | sed 's/^/- /'
fi
