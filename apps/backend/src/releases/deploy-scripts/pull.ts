/** Pulls the image of a package. The token reaches neither a command line nor a file that stays. */
import { deployExit, deployPrelude } from './prelude';

/**
 * Arguments: the image, its registry, and user name and token there, both empty for images that everybody may pull.
 * Reports `digest` and `image`, the image by its digest.
 */
export const pullScript = String.raw`${deployPrelude}
image=$1
registry=$2
user=$3
token=$4
await_engine

folder=$(mktemp -d) || fail 73 'No temporary folder can be made on this server.'
trap 'rm -rf "$folder"' EXIT
trap 'exit 143' HUP INT TERM
DOCKER_CONFIG=$folder
export DOCKER_CONFIG

# What has a digest never changes.
case $image in
  *@sha256:*) docker image inspect "$image" >/dev/null 2>&1 && here=yes || here= ;;
  *) here= ;;
esac
if [ -n "$here" ]; then note "$image is on this server already."
else
  log_in() { printf '%s' "$token" | docker login --username "$user" --password-stdin "$registry"; }
  if [ -n "$token" ] && ! engine log_in; then
    tell_said
    fail ${deployExit.login} "The registry $registry refused the stored token."
  fi
  note "Pulling $image"
  if ! engine docker pull --quiet "$image"; then
    tell_said
    fail ${deployExit.pull} "The image $image could not be pulled."
  fi
fi

repository=${'${image%@*}'}
case ${'${repository##*/}'} in
  *:*) repository=${'${repository%:*}'} ;;
esac
engine docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$image" || fail ${deployExit.pull} "The image $image is not on this server."
by_digest=$(printf '%s\n' "$said" | grep -F "$repository@" | head -n 1)
[ -n "$by_digest" ] || fail ${deployExit.pull} "The registry gave no digest for $image."
report image "$by_digest"
report digest "${'${by_digest##*@}'}"
note "$by_digest"
`;
