. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/packages.sh

version() { certbot --version 2>&1 | sed -n 's/^certbot //p'; }
if have certbot; then
  note "certbot $(version) is already installed. It is left unchanged."
  exit 0
fi
case $package_manager in
  apk) install_packages certbot certbot-nginx ;;
  *) install_packages certbot python3-certbot-nginx ;;
esac
have certbot || fail 127 'The package certbot was installed, but the command certbot is missing.'
note "certbot $(version) is installed."
