#!/bin/sh
# Installs two S3 servers for `npm run faults -- s3`, from Debian's packages: Ceph's radosgw, and OpenStack Swift with s3api.
# Starts none of them: testing/s3-servers.ts does, with folders and ports of its own. Run as root. Does nothing if they are here.
set -eu
missing=
for package in ceph-base ceph-mon ceph-osd memcached radosgw swift-account swift-container swift-object swift-proxy; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
[ "$(id -u)" = 0 ] || { echo "run this as root: it installs$missing" >&2 && exit 1; }

# Debian starts services when it installs them, unless this file forbids it.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
fi
[ -n "$(find /var/lib/apt/lists -name '*_Packages*' -mtime -1 2>/dev/null)" ] || apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing
