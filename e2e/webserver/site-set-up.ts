/** A server for the console's sites. Apart, since the browser tests cannot load Nest. */
export const ROOT = '/root/volumes';
export const SITES = '/root/volumes/nginx_config';

/** Turns a Debian with nginx into one. */
export const siteServerSetUp = `set -e
chmod 755 /root
mkdir -p ${SITES} ${ROOT}/static/app.test
echo 'include ${SITES}/*.conf;' > /etc/nginx/conf.d/quarterdeck.conf
echo hello > ${ROOT}/static/app.test/index.html
systemctl start nginx`;
