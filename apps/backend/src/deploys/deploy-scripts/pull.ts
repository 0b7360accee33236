/** Pulls the image of a package. The token is never on a command line or in a file that remains. */
import { deployExit, deployPrelude } from './prelude';

/**
 * Arguments: the image, its registry, user name and token for the registry, and the id of the release. Without a token
 * the server's own login is used, if it has one. Reports `digest`, and `image`, which is the image by its digest.
 */
export const pullScript = String.raw`${deployPrelude}
image=$1
registry=$2
user=$3
token=$4
release=$5
await_engine

# A login is in memory where the server has such a folder, and what a killed attempt left is removed.
if [ -w /run ]; then logins=/run; else logins=${'${TMPDIR:-/tmp}'}; fi
rm -rf "$logins/quarterdeck-login-$release".*
if [ -n "$token" ]; then
  folder=$(mktemp -d "$logins/quarterdeck-login-$release.XXXXXX") || fail 73 'No temporary folder can be made on this server.'
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 143' HUP INT TERM
  DOCKER_CONFIG=$folder
  export DOCKER_CONFIG
fi

# What has a digest never changes.
case $image in
  *@sha256:*) engine docker image inspect --format '{{.Id}}' "$image" && here=yes || here= ;;
  *) here= ;;
esac
if [ -n "$here" ]; then note "$image is on this server already."
else
  log_in() { printf '%s' "$token" | docker login --username "$user" --password-stdin "$registry"; }
  if [ -n "$token" ] && ! engine log_in; then
    tell_said
    case $said in
      *[Uu]nauthorized* | *[Dd]enied* | *[Ff]orbidden* | *[Ii]ncorrect*) fail ${deployExit.login} "The registry $registry refused the stored token." ;;
    esac
    fail ${deployExit.registry} "The registry $registry does not answer as it should."
  fi
  note "Pulling $image"
  if ! engine docker pull --quiet "$image"; then
    tell_said
    refuse_full "$said"
    refuse_architecture "$said"
    case $said in
      *'no basic auth'* | *[Uu]nauthorized* | *[Dd]enied* | *[Ff]orbidden* | *'authentication required'*)
        [ -z "$token" ] || fail ${deployExit.login} "The registry $registry does not let the stored token read $image."
        fail ${deployExit.noLogin} "The registry $registry wants a login for $image, or does not have it. There is no login for $registry."
        ;;
    esac
    fail ${deployExit.pull} "The image $image could not be pulled."
  fi
fi

repository=${'${image%@*}'}
case ${'${repository##*/}'} in
  *:*) repository=${'${repository%:*}'} ;;
esac
# docker leaves out the name of its own registry.
repository=${'${repository#docker.io/}'}
case $repository in
  library/*) repository=${'${repository#library/}'} ;;
esac
engine docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$image" || fail ${deployExit.pull} "The image $image is not on this server."
by_digest=$(printf '%s\n' "$said" | awk -v at="$repository@" 'index($0, at) == 1 { print; exit }')
[ -n "$by_digest" ] || fail ${deployExit.pull} "The registry gave no digest for $image."
report image "$by_digest"
report digest "${'${by_digest##*@}'}"
note "$by_digest"
`;
