/** The nginx of a server, moved into the container of its compose file. */
import { parse } from 'yaml';
import { unpackLine } from '../../testing/debian-packages';
import type { ContainerServer } from './container-server';

/** The server's own nginx in an image laid out like the official one, whose error log is the container's output. */
const nginxImage = (name: string): string => `set -e
image=/srv/nginx-image
mkdir -p $image/bin $image/tmp $image/run $image/var/log/nginx $image/var/lib/nginx $image/etc/nginx/conf.d
for file in /usr/sbin/nginx /etc/nginx/mime.types $(ldd /usr/sbin/nginx | grep -o '/[^ ]*'); do
  cp -L --parents "$file" $image
done
cp -L "$(command -v busybox)" $image/bin/busybox
chroot $image /bin/busybox --install -s /bin
printf 'root:x:0:0::/:/bin/sh\nnginx:x:101:101::/:/bin/false\n' > $image/etc/passwd
printf 'root:x:0:\nnginx:x:101:\n' > $image/etc/group
ln -s /dev/stderr $image/var/log/nginx/error.log
cat > $image/etc/nginx/nginx.conf <<'END'
user nginx;
error_log /var/log/nginx/error.log;
pid /run/nginx.pid;
events {}
http {
    include /etc/nginx/mime.types;
    access_log off;
    include /etc/nginx/conf.d/*.conf;
}
END
tar -C $image -c . | docker import --change 'ENV PATH=/usr/sbin:/bin' --change 'CMD ["nginx", "-c", "/etc/nginx/nginx.conf", "-g", "daemon off;"]' - '${name}'`;

/** @param dockerCompose of the server, as the console generates it */
export const startNginxContainer = async (
  { inside }: Pick<ContainerServer, 'inside'>,
  dockerCompose: string,
): Promise<void> => {
  const { services } = parse(dockerCompose) as { services: { nginx: { image: string } } };
  await inside(`systemctl stop nginx
    ${unpackLine('docker-compose')}
    cat > /root/compose.yml <<'END'\n${dockerCompose}\nEND
    ${nginxImage(services.nginx.image)}
    docker-compose --file /root/compose.yml up --detach 2>&1`);
};
