/**
 * Debian packages that a throw-away server can install without a network. `scripts/fetch-test-packages.sh` fetches them,
 * and writes the index that apt reads.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const packagesFolder = process.env.TEST_PACKAGES ?? '/var/cache/quarterdeck-test-packages';

/** `Packages`, as apt wants it beside a folder `pool`. */
export const packageIndex = (): string => {
  const path = join(packagesFolder, 'Packages');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** In words, nothing when all is there. */
export const packagesLack = (names: readonly string[]): string[] => {
  const there = new Set(packageIndex().match(/(?<=^Package: ).*$/gm));
  return names
    .filter((name) => !there.has(name))
    .map((name) => `the package ${name} was not fetched: run scripts/fetch-test-packages.sh`);
};
