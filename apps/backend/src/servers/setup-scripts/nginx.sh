. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/packages.sh
. servers/setup-scripts/unless-in-container.sh

version() { nginx -v 2>&1 | sed 's,^.*nginx/,,; s/ .*//'; }
if have nginx; then
  note "nginx $(version) is already installed. It is left unchanged."
else
  install_packages nginx
  have nginx || fail 127 'The package nginx was installed, but the command nginx is missing.'
  note "nginx $(version) is installed."
fi
