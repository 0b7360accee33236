#!/bin/sh
# Downloads the Debian packages that the tests install on throw-away servers, which have no network. Installs nothing.
# $1: the folder, as in TEST_PACKAGES.
set -eu
folder=${1:-${TEST_PACKAGES:-/var/cache/quarterdeck-test-packages}}
mkdir -p "$folder/partial"
[ -n "$(find /var/lib/apt/lists -name '*_Packages*' -mtime -1 2>/dev/null)" ] || apt-get update -qq
# --reinstall also downloads packages that are installed here, because the tests remove them from their servers first.
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --download-only --reinstall --no-install-recommends \
  -o Dir::Cache::archives="$folder" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
  ca-certificates certbot curl docker-compose docker-registry docker.io nftables nginx nginx-common \
  python3-certbot-nginx sudo ufw busybox-static

# The index that apt reads beside a folder `pool`.
cd "$folder"
for deb in *.deb; do
  dpkg-deb --field "$deb"
  printf 'Filename: ./pool/%s\nSize: %s\nSHA256: %s\n\n' "$deb" "$(stat -c %s "$deb")" "$(sha256sum <"$deb" | cut -d ' ' -f 1)"
done >Packages.new
mv Packages.new Packages

# Decompressed once here. Each server that unpacks Docker would spend four seconds of processor time on it.
for deb in *.deb; do
  [ -e "$deb.tar" ] || dpkg-deb --fsys-tarfile "$deb" >partial/tar
  [ -e "$deb.tar" ] || mv partial/tar "$deb.tar"
done
for tar in *.deb.tar; do
  [ -e "${tar%.tar}" ] || rm "$tar"
done
