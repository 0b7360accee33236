/** Docker on a throw-away server with `packages`. */
import { unpackLine } from './debian-packages';

export const enginePackages = ['docker.io', 'containerd', 'runc', 'tini'];

/** A shell line that starts it, with other packages beside it: unpacked, since an installation takes twice the time. */
export const engineLine = (...beside: string[]): string => `rm -f /usr/local/bin/docker
${unpackLine(...enginePackages, ...beside)}
command -v iptables >/dev/null || ln -s iptables-nft /usr/sbin/iptables
getent group docker >/dev/null || groupadd --system docker
systemctl daemon-reload
systemctl start docker || exit`;
