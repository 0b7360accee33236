/**
 * Debian packages that a throw-away server can install without a network: `scripts/fetch-test-packages.sh` fetches
 * them, here they get the index that apt reads.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const packagesFolder = process.env.TEST_PACKAGES ?? '/var/cache/quarterdeck-test-packages';

const files = (): string[] =>
  existsSync(packagesFolder) ? readdirSync(packagesFolder).filter((name) => name.endsWith('.deb')) : [];

/** In words, nothing when all is there. */
export const packagesLack = (names: readonly string[]): string[] => {
  const there = new Set(files().map((file) => file.split('_')[0]));
  return names
    .filter((name) => !there.has(name))
    .map((name) => `the package ${name} was not fetched: run scripts/fetch-test-packages.sh`);
};

let index: string | undefined;

/** `Packages`, as apt wants it beside a folder `pool`. */
export const packageIndex = (): string =>
  (index ??= files()
    .map((file) => {
      const path = join(packagesFolder, file);
      const control = execFileSync('dpkg-deb', ['--field', path], { encoding: 'utf8' }).trimEnd();
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
      return `${control}\nFilename: ./pool/${file}\nSize: ${statSync(path).size}\nSHA256: ${sha256}\n`;
    })
    .join('\n'));
