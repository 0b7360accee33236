/**
 * Debian packages that a throw-away server can install without a network. `scripts/fetch-test-packages.sh` fetches
 * them, and writes the index that apt reads.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const packagesFolder = process.env.TEST_PACKAGES ?? '/var/cache/quarterdeck-test-packages';

/** Contents of the index `Packages`, which apt expects beside a folder `pool`. */
export const packageIndex = (): string => {
  const path = join(packagesFolder, 'Packages');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** One sentence about the packages that were not fetched, or none. */
export const packagesLack = (names: readonly string[]): string[] => {
  const there = new Set(packageIndex().match(/(?<=^Package: ).*$/gm));
  const missing = names.filter((name) => !there.has(name));
  return missing.length === 0
    ? []
    : [`not fetched: the packages ${missing.join(', ')}; run scripts/fetch-test-packages.sh`];
};

const fieldOf = (paragraph: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? '';

/**
 * certbot waits a second before it asks an authority for the outcome, and another one for the certificate. The authority of
 * tests answers at once, so certbot waits a fifth of that.
 */
const IMPATIENT = `echo 'import time; time.sleep = lambda seconds, sleep=time.sleep: sleep(seconds / 5)' > /usr/lib/python3/dist-packages/impatient.pth`;

/**
 * A shell line that unpacks packages and their fetched dependencies on a server started with `packages`. Takes a fifth
 * of the time of an installation, but dpkg does not know of it. For tests that do not test installing.
 */
export const unpackLine = (...names: string[]): string => {
  const paragraphs = new Map(
    packageIndex()
      .split('\n\n')
      .map((text) => [fieldOf(text, 'Package'), text]),
  );
  const all = new Set(names);
  for (const name of all)
    for (const [needed] of fieldOf(paragraphs.get(name) ?? '', 'Depends').matchAll(/(?<=^|[,|] )[^ :,]+/g))
      if (paragraphs.has(needed)) all.add(needed);
  const files = [...all].map((name) =>
    join('/srv/packages', fieldOf(paragraphs.get(name) ?? '', 'Filename')),
  );
  return `for deb in ${files.join(' ')}; do
    if [ -e "$deb.tar" ]; then cat "$deb.tar"; else dpkg-deb --fsys-tarfile "$deb"; fi |
      tar -x -p --keep-directory-symlink -C / || exit
  done${all.has('certbot') ? `\n${IMPATIENT}` : ''}`;
};
