# `user` and `token` for the registry; without a token the server's own login is used, if it has one. Reports `digest`, and `image`,
# which is the image by its digest.

: "${image?}" "${registry?}" "${user?}" "${token?}" "${release?}" "${exit_login?}" "${exit_registry?}"
: "${exit_no_login?}" "${exit_no_image?}" "${exit_pull?}"

. deploys/deploy-scripts/prelude.sh

await_engine

# A login is kept in memory if the server has such a folder. Remains of a killed attempt are removed.
if [ -w /run ]; then logins=/run; else logins=${TMPDIR:-/tmp}; fi
rm -rf "$logins/quarterdeck-login-$release".*
if [ -n "$token" ]; then
  folder=$(mktemp -d "$logins/quarterdeck-login-$release.XXXXXX") || fail 73 'No temporary folder can be created on this server.'
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 143' HUP INT TERM
  DOCKER_CONFIG=$folder
  export DOCKER_CONFIG
fi

# An image with a digest never changes.
case $image in
  *@sha256:*) engine docker image inspect --format '{{.Id}}' "$image" && here=yes || here= ;;
  *) here= ;;
esac
if [ -n "$here" ]; then note "$image is already on this server."
else
  log_in() { printf '%s' "$token" | docker login --username "$user" --password-stdin "$registry"; }
  if [ -n "$token" ] && ! engine log_in; then
    tell_said
    case $said in
      *[Uu]nauthorized* | *[Dd]enied* | *[Ff]orbidden* | *[Ii]ncorrect*) fail "$exit_login" "The registry $registry refused the stored token." ;;
    esac
    fail "$exit_registry" "The registry $registry does not answer correctly."
  fi
  note "Pulling $image"
  if ! engine docker pull --quiet "$image"; then
    tell_said
    refuse_full "$said"
    refuse_architecture "$said"
    case $said in
      *'no basic auth'* | *[Uu]nauthorized* | *[Dd]enied* | *[Ff]orbidden* | *'authentication required'*)
        [ -z "$token" ] || fail "$exit_login" "The registry $registry does not allow the stored token to read $image."
        fail "$exit_no_login" "The registry $registry requires a login for $image, or does not have it. No login for $registry is stored."
        ;;
      *'manifest unknown'* | *'manifest for '*' not found'*) fail "$exit_no_image" "The registry $registry does not have $image." ;;
      *'dial tcp'* | *'i/o timeout'* | *'TLS handshake timeout'* | *'received unexpected HTTP status'*)
        fail "$exit_registry" "The registry $registry does not answer correctly."
        ;;
    esac
    fail "$exit_pull" "The image $image could not be pulled."
  fi
fi

repository=${image%@*}
case ${repository##*/} in
  *:*) repository=${repository%:*} ;;
esac
# docker leaves out the name of its own registry.
repository=${repository#docker.io/}
case $repository in
  library/*) repository=${repository#library/} ;;
esac
engine docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$image" || fail "$exit_pull" "The image $image is not on this server."
by_digest=$(printf '%s\n' "$said" | awk -v at="$repository@" 'index($0, at) == 1 { print; exit }')
[ -n "$by_digest" ] || fail "$exit_pull" "The registry gave no digest for $image."
report image "$by_digest"
report digest "${by_digest##*@}"
note "$by_digest"
