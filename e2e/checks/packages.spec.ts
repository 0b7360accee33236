import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { demo } from '@quarterdeck/contract/demo';
import { buildConsole } from '../../testing/backend-process';

const root = path.resolve(__dirname, '../..');
const read = <T>(file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')) as T;

interface Manifest {
  version: string;
  workspaces?: string[];
  engines?: { node: string };
  allowScripts?: Record<string, boolean>;
  overrides?: Record<string, string | Record<string, string>>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
interface LockEntry {
  version?: string;
  link?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  engines?: { node?: string };
  resolved?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}

const folders = ['libs', 'apps'].flatMap((parent) =>
  fs.readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`),
);
const manifests = ['package.json', ...folders.map((folder) => `${folder}/package.json`)];
const lock = read<{ packages: Record<string, LockEntry> }>('package-lock.json').packages;

/** Overrides for a single package are nested below its name. */
const flat = (overrides: Manifest['overrides'] = {}): Record<string, string> =>
  Object.assign(
    {},
    ...Object.entries(overrides).map(([name, is]) => (typeof is === 'string' ? { [name]: is } : is)),
  );

it.each(manifests)('%s names only exact versions', (file) => {
  const { dependencies, devDependencies, overrides } = read<Manifest>(file);
  const ranges = Object.entries({ ...dependencies, ...devDependencies, ...flat(overrides) }).filter(
    ([, version]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(ranges).toEqual([]);
});

it('allows or denies the install script of each package that has one, and of no other', () => {
  const { allowScripts } = read<Manifest>('package.json');
  const named = Object.entries(lock).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = named.map(([place]) =>
    place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
  );
  expect(Object.keys(allowScripts ?? {}).sort()).toEqual([...new Set(names)].sort());
});

/** Whether a range such as `^20.19.0 || >=22.12` includes Node 20.19. */
const allowsOldest = (range: string): boolean =>
  range.split('||').some((part) =>
    part
      .replaceAll(/([<>=^~])\s+/g, '$1')
      .trim()
      .split(/\s+/)
      .every((comparator) => {
        const [, sign = '', major = '*', minor = '0'] =
          /^(\D*?)(\d+|\*|x)?(?:\.(\d+).*)?$/.exec(comparator) ?? [];
        const [own, other] = [20 * 1000 + 19, Number(major) * 1000 + Number(minor)];
        if (major === '*' || major === 'x') return true;
        if (sign.startsWith('>')) return other <= own;
        if (sign.startsWith('<')) return own < other || (sign === '<=' && own === other);
        return Number(major) === 20 && other <= own;
      }),
  );

it('has no package that refuses the oldest supported Node, and uses the types of that version', () => {
  const refusing = Object.entries(lock).flatMap(([place, { engines, optional }]) =>
    engines?.node && !optional && !allowsOldest(engines.node) ? [`${place} ${engines.node}`] : [],
  );
  expect(refusing).toEqual([]);
  expect(read<Manifest>('package.json')).toMatchObject({
    engines: { node: '>=20.19.0' },
    devDependencies: { '@types/node': expect.stringMatching(/^20\.19\./) },
  });
});

it('uses the same version of a package in all manifests', () => {
  const versions = new Map<string, Set<string>>();
  for (const file of manifests) {
    const { dependencies, devDependencies } = read<Manifest>(file);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
    }
  }
  expect([...versions].filter(([, found]) => found.size > 1)).toEqual([]);
});

it('the lock file has the versions of every manifest', () => {
  for (const file of manifests) {
    const { dependencies, devDependencies } = read<Manifest>(file);
    const entry = lock[path.dirname(file) === '.' ? '' : path.dirname(file)];
    expect({ file, ...entry }).toMatchObject({
      file,
      ...(dependencies && { dependencies }),
      ...(devDependencies && { devDependencies }),
    });
  }
});

it("the lock file names no registry, so packages come from the user's registry", () => {
  const addresses = Object.entries(lock).filter(([, entry]) => entry.resolved !== undefined && !entry.link);
  expect(addresses).toEqual([]);
  expect(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).not.toMatch(/https?:\/\/registry/);
});

it('the lock file has a checksum for every package', () => {
  const without = Object.entries(lock).filter(
    ([place, entry]) => place.includes('node_modules/') && !entry.link && entry.integrity === undefined,
  );
  expect(without).toEqual([]);
});

/** If a platform's binary is missing, `npm ci` refuses the whole lock file on every platform. */
it('the lock file has the binaries of every platform', () => {
  const missing: string[] = [];
  for (const [place, entry] of Object.entries(lock)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!isInstalledFor(place, name)) missing.push(`${place}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
});

/** The scripts that the browser needs before it can show the first page, Home. */
it('loads at most 200 kB of script in three files before the first page', async () => {
  await buildConsole();
  const built = path.join(root, 'dist/console');
  const html = fs.readFileSync(path.join(built, 'index.html'), 'utf8');
  const scripts = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, name = '']) => name);
  const sizes = scripts.map((name) => [
    name,
    gzipSync(fs.readFileSync(path.join(built, name)), { level: 9 }).length,
  ]);
  expect(sizes).toHaveLength(3);
  expect(sizes.reduce((sum, [, size]) => sum + Number(size), 0)).toBeLessThanOrEqual(200_000);
});

/** A bundler's group takes along what its modules import: one import of a schema would bring it into every list. */
it('loads no library of forms with a list', async () => {
  await buildConsole();
  const assets = path.join(root, 'dist/console/assets');
  const files = fs.readdirSync(assets).filter((name) => name.endsWith('.js'));
  const withImports = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    const text = fs.readFileSync(path.join(assets, name), 'utf8');
    for (const [, next = ''] of text.matchAll(/\bfrom\s*"\.\/([^"]+)"/g)) withImports(next, seen);
    return seen;
  };
  const lists = [
    'servers',
    'domains',
    'products',
    'product-tabs',
    'scripts',
    'databases',
    'services',
    'entities',
  ];
  for (const list of lists) {
    const entries = files.filter((name) => name.startsWith(`${list}-`));
    const loaded = entries.flatMap((name) => [...withImports(name)]);
    expect([list, loaded.some((name) => name.startsWith('shared-'))]).toEqual([list, true]);
    expect([list, loaded.filter((name) => name.startsWith('forms-'))]).toEqual([list, []]);
  }
  expect(files.some((name) => name.startsWith('forms-'))).toBe(true);
});

it('sends the browser no examples of calls', async () => {
  await buildConsole();
  const built = path.join(root, 'dist/console');
  const scripts = fs
    .readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(3);
  const withIds = scripts.filter((name) =>
    Object.values(demo).some((id) => fs.readFileSync(path.join(built, name), 'utf8').includes(id)),
  );
  expect(withIds).toEqual([]);
});

/** Resolves like Node: first in the package's own node_modules, then in those of the parent folders. */
function isInstalledFor(place: string, name: string): boolean {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (lock[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}
