# Installs the tools that later steps need for downloads and archives.

. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/packages.sh

wanted=
need() {
  name=$1
  shift
  if "$@" >/dev/null 2>&1; then note "$name is already installed."; else wanted="$wanted $name"; fi
}
has_certificates() { [ -s /etc/ssl/certs/ca-certificates.crt ] || [ -s /etc/pki/tls/certs/ca-bundle.crt ] || [ -s /etc/ssl/cert.pem ]; }
need ca-certificates has_certificates
need curl have curl
need tar have tar
if [ -z "$wanted" ]; then
  note 'Nothing to install.'
else
  # Names of packages, on purpose split into words.
  # shellcheck disable=SC2086
  install_packages $wanted
fi
