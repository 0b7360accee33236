import { packageFunctions } from './packages';
import { serviceFunctions } from './services';
import { setupPrelude } from './setup-prelude';

const dockerFunctions = String.raw`
server_version() { docker version --format '{{.Server.Version}}' 2>/dev/null; }
compose_version() { docker compose version --short 2>/dev/null || docker-compose version --short 2>/dev/null; }
`;

export const engineScript = String.raw`${setupPrelude}${packageFunctions}${dockerFunctions}
if have docker; then
  case $(docker --version 2>&1) in
    *[Pp]odman*) fail 69 'The docker command of this server is Podman. It was left alone; the console needs Docker itself.' ;;
  esac
  if version=$(server_version); then
    note "Docker $version is there and answers. It stays as it is."
    exit 0
  fi
  if have dockerd; then
    note "$(docker --version) is there, and stays as it is."
    exit 0
  fi
  note 'There is a docker command on this server, but no engine.'
fi

# Where somebody has set up Docker's own packages, those are meant.
packages=
case $package_manager in
  apt-get)
    if offered docker-ce; then packages='docker-ce docker-ce-cli containerd.io'
    else
      packages=docker.io
      # In newer distributions the command is a package of its own.
      if offered docker-cli; then packages="$packages docker-cli"; fi
    fi
    ;;
  apk) packages=docker ;;
  *)
    for one in docker-ce moby-engine docker; do
      if offered "$one"; then
        packages=$one
        break
      fi
    done
    [ -n "$packages" ] || packages=moby-engine
    ;;
esac
# Names of packages, on purpose split into words.
install_packages $packages
have docker && have dockerd || fail 127 'The packages were installed, but there is no docker.'
note "$(docker --version) is installed."
`;

export const daemonScript = String.raw`${setupPrelude}${serviceFunctions}${dockerFunctions}
how=$(started_by docker)
if version=$(server_version); then
  note "The engine runs: $version."
  [ -z "$how" ] || starts_with_server docker || warn 'It does not start with the server by itself.'
  exit 0
fi
[ -n "$how" ] || fail 69 'Nothing here starts services, so the engine cannot be started.'
if starts_with_server docker; then
  note "The engine starts with the server ($how)."
else
  start_with_server docker || { cat "$log" >&2; fail 1 "The engine could not be made to start with the server ($how)."; }
  did 'docker starts with the server'
fi
start_service docker || fail 1 'The engine could not be started. The lines above say why.'
tries=0
until version=$(server_version); do
  tries=$((tries + 1))
  if [ "$tries" -gt 60 ]; then
    docker version 2>&1 | tail -n 3 | sed 's/^/  /' >&2
    have journalctl && journalctl --unit docker --lines 20 --no-pager 2>/dev/null | sed 's/^/  /' >&2
    fail 69 'The engine was started, but does not answer.'
  fi
  sleep 1
done
did 'started docker'
note "The engine runs: $version."
`;

export const composeScript = String.raw`${setupPrelude}${packageFunctions}${dockerFunctions}
if version=$(compose_version); then
  note "Compose $version is there, and stays as it is."
  exit 0
fi
case $package_manager in
  apk) candidates='docker-cli-compose docker-compose' ;;
  *) candidates='docker-compose-plugin docker-compose-v2 docker-compose' ;;
esac
for package in $candidates; do
  if offered "$package"; then
    install_packages "$package"
    version=$(compose_version) || fail 127 "The package $package was installed, but there is no compose."
    note "Compose $version is installed."
    exit 0
  fi
done
[ -z "$source_silent" ] || fail 69 'Could not reach the package source of this server: compose could not be installed.'
warn "The package sources of this server do not offer compose ($candidates). The engine works without it."
`;

/** Runs a container from an image that is built from the server's own shell. Nothing is pulled. */
export const verifyScript = String.raw`${setupPrelude}${dockerFunctions}
image=quarterdeck-check:$$
folder=$(mktemp -d) || fail 73 'No temporary folder can be made on this server.'
trap 'docker image rm -f "$image" >/dev/null 2>&1; rm -rf "$folder" "$log"' EXIT

mkdir "$folder/bin" && cp -L /bin/sh "$folder/bin/sh" || fail 73 'The shell of this server could not be copied.'
for library in $(ldd /bin/sh 2>/dev/null | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^\//) { sub(/:$/, "", $i); print $i } }' | sort -u); do
  mkdir -p "$folder$(dirname "$library")" && cp -L "$library" "$folder$library"
done
tar -C "$folder" -c -f - . | docker import - "$image" >"$log" 2>&1 || { cat "$log" >&2; fail 1 'An image could not be made from the shell of this server.'; }
said=$(docker run --rm --network none "$image" /bin/sh -c 'echo "from inside: $((6 * 7))"' 2>"$log")
code=$?
if [ "$code" != 0 ] || [ "$said" != 'from inside: 42' ]; then
  cat "$log" >&2
  fail 1 "A container did not run: exit code $code."
fi
note 'A container ran, of an image made on this server, and both were removed again.'

engine=$(server_version) || fail 69 'The engine does not answer any more.'
report engine "$engine"
note "Engine $engine"
if compose=$(compose_version); then
  report compose "$compose"
  note "Compose $compose"
fi
if [ -z "$1" ]; then
  note 'Everything was in place. Nothing was changed.'
else
  note 'Changed:'
  printf '%s\n' "$1" | sed 's/^/- /'
fi
`;
