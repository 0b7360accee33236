/**
 * Bundles the console's packages for its tests. Jest loads every module of a package again for each test file, which
 * took half of the time of most files. A bundle is only a few large modules.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const sources = path.join(root, 'apps/console/src');
const folder = path.join(root, 'dist/console-packages');

/** Packages that only tests import; they must share the console's React. */
const OF_TESTS = ['@testing-library/jest-dom', '@testing-library/react', '@testing-library/user-event'];
/** Not bundled: React is small, and uses `module.require`, which a bundle lacks. */
const REACT = /^react(\/|$)/;
/** Has 5,000 icons; the bundle contains only those that the console uses. */
const ICONS = '@tabler/icons-react';

const filesOf = () =>
  fs
    .readdirSync(sources, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => fs.readFileSync(path.join(sources, name), 'utf8'));

/** Import specifiers in the sources, such as `react-dom/client`, that belong to dependencies of the console. */
function importsOf(texts) {
  const manifest = fs.readFileSync(path.join(sources, '../package.json'), 'utf8');
  const packages = Object.keys(JSON.parse(manifest).dependencies).filter(
    (name) => !name.startsWith('@quarterdeck/'),
  );
  const named = texts.flatMap((text) => [...text.matchAll(/(?:from|import\()\s*'([^'.][^']*)'/g)]);
  const ours = named
    .map(([, name]) => name)
    .filter((name) => packages.includes(packageOf(name)) && !name.includes('.css'));
  return [...new Set([...ours, ...OF_TESTS])].filter((name) => !REACT.test(name)).toSorted(byName);
}

const byName = (a, b) => (a < b ? -1 : 1);

const packageOf = (name) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

const iconsOf = (texts) => {
  const imported = texts.flatMap((text) => [
    ...text.matchAll(/import \{([^}]*)\} from '@tabler\/icons-react'/g),
  ]);
  const names = imported.flatMap(([, list]) => list.split(',').map((name) => name.trim().split(' as ')[0]));
  return [...new Set(names)].filter((name) => name && !name.startsWith('type ')).toSorted(byName);
};

/** For jest's `moduleNameMapper`. */
export function mappedPackages() {
  const names = importsOf(filesOf()).map((name) => name.replaceAll('.', String.raw`\.`));
  return { [`^(${names.join('|')})$`]: '<rootDir>/dist/console-packages/$1.cjs' };
}

/** Jest's global set-up. */
export default async function bundlePackages() {
  const texts = filesOf();
  const imports = importsOf(texts);
  const icons = iconsOf(texts);
  const stamp = createHash('sha256')
    .update(JSON.stringify([imports, icons]))
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .update(fs.readFileSync(import.meta.filename))
    .digest('hex');
  const stampFile = path.join(folder, '.stamp');
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) return;
  const aside = `${folder}.${process.pid}`;
  try {
    await write(aside, imports, icons);
    fs.writeFileSync(path.join(aside, '.stamp'), stamp);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(aside, folder);
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

async function write(dir, imports, icons) {
  const { rolldown } = await import('rolldown');
  const onlyUsedIcons = {
    name: 'only-used-icons',
    resolveId: (id, importer) => (id === ICONS && importer === undefined ? `\0${ICONS}` : null),
    load: (id) => (id === `\0${ICONS}` ? `export { ${icons.join(', ')} } from '${ICONS}';` : null),
  };
  const bundle = await rolldown({
    cwd: path.join(root, 'apps/console'),
    input: Object.fromEntries(imports.map((name) => [name, name])),
    external: REACT,
    platform: 'node',
    // Prefers ES modules, so that unused exports are dropped.
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"test"' } },
    plugins: [onlyUsedIcons],
  });
  await bundle.write({
    dir,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
  });
  await bundle.close();
}
