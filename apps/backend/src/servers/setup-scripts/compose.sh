. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/packages.sh
. servers/setup-scripts/docker-versions.sh

if version=$(compose_version); then
  note "Compose $version is already installed. It is left unchanged."
  exit 0
fi
case $package_manager in
  apk) candidates='docker-cli-compose docker-compose' ;;
  *) candidates='docker-compose-plugin docker-compose-v2 docker-compose' ;;
esac
for package in $candidates; do
  if offered "$package"; then
    install_packages "$package"
    version=$(compose_version) || fail 127 "The package $package was installed, but compose does not run."
    note "Compose $version is installed."
    exit 0
  fi
done
[ -z "$source_silent" ] || fail 69 'The package sources of this server cannot be reached, so compose was not installed.'
warn "The package sources of this server do not offer compose ($candidates). The engine works without it."
