. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/packages.sh
. servers/setup-scripts/docker-versions.sh

if have docker; then
  case $(docker --version 2>&1) in
    *[Pp]odman*) fail 69 'The docker command of this server is Podman. It was left unchanged: the console needs Docker.' ;;
  esac
  if version=$(server_version); then
    note "Docker $version is installed and answers. It is left unchanged."
    exit 0
  fi
  if have dockerd; then
    note "$(docker --version) is already installed. It is left unchanged."
    exit 0
  fi
  note 'This server has the docker command, but no engine.'
fi

# If Docker's own package source is set up, its packages are used.
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
# shellcheck disable=SC2086
install_packages $packages
have docker && have dockerd || fail 127 'The packages were installed, but the command docker or dockerd is missing.'
note "$(docker --version) is installed."
