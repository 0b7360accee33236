/** Docker on a throw-away server that was started with `packages`. */
import { unpackLine } from './debian-packages';

export const enginePackages = ['docker.io', 'containerd', 'runc', 'tini'];

/** A shell line that unpacks Docker and other packages, and starts Docker. Installing would take twice as long. */
export const engineLine = (...beside: string[]): string => `rm -f /usr/local/bin/docker
${unpackLine(...enginePackages, ...beside)}
command -v iptables >/dev/null || ln -s iptables-nft /usr/sbin/iptables
getent group docker >/dev/null || groupadd --system docker
systemctl daemon-reload
systemctl start docker || exit`;
