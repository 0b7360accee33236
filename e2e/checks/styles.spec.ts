/** Every class of a CSS module is used by a file that imports it, and every class that is used is there. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const consoleSource = path.resolve(__dirname, '../../apps/console/src');

const filesIn = (folder: string, name: RegExp): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => path.join(folder, file));

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, first = '']) => first);

/** Classes that a module declares, and those that it composes of another one. */
const classesIn = (text: string): string[] => {
  const selectors = text
    .replaceAll(/\/\*[^]*?\*\/|:global\([^)]*\)/g, '')
    .replaceAll(/\{[^{}]*\}/g, ';')
    .replaceAll(/@[^{;]*[{;]/g, '');
  return [...new Set(all(selectors, /\.([A-Za-z][\w-]*)/g))];
};

const composedIn = (file: string): string[] =>
  [...fs.readFileSync(file, 'utf8').matchAll(/composes: ([\w ]+)(?: from '([^']+)')?;/g)].flatMap(
    ([, names = '', from]) =>
      names.split(' ').map((name) => `${from ? path.join(path.dirname(file), from) : file} ${name}`),
  );

/** Classes that are read from each module, as `file class`; `file *` where they are chosen by a computed name. */
const usedIn = (file: string): string[] => {
  const text = fs.readFileSync(file, 'utf8');
  const code = text.replaceAll(/^import .*$/gm, '');
  return [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].flatMap(
    ([, name = '', from = '']) => {
      const styles = path.join(path.dirname(file), from);
      const named = all(code, new RegExp(`\\b${name}\\.([A-Za-z]\\w*)`, 'g'));
      const computed = new RegExp(`\\b${name}\\[`).test(code) ? ['*'] : [];
      return [...named, ...computed].map((one) => `${styles} ${one}`);
    },
  );
};

const strayClasses = (folder: string) => {
  const modules = filesIn(folder, /\.module\.css$/);
  const declared = modules.flatMap((file) =>
    classesIn(fs.readFileSync(file, 'utf8')).map((name) => `${file} ${name}`),
  );
  const used = new Set([...filesIn(folder, /\.tsx?$/).flatMap(usedIn), ...modules.flatMap(composedIn)]);
  const inFolder = (one: string): string => path.relative(folder, one);
  return {
    unused: declared
      .filter((one) => !used.has(one) && !used.has(one.replace(/ \S+$/, ' *')))
      .map(inFolder)
      .sort(),
    missing: [...used]
      .filter((one) => !one.endsWith(' *') && !declared.includes(one))
      .map(inFolder)
      .sort(),
  };
};

test('the console has no class that nothing uses, and uses none that is missing', () => {
  expect(strayClasses(consoleSource)).toEqual({ unused: [], missing: [] });
});

test('finds a class that nothing uses, and one that is missing', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'styles-'));
  try {
    fs.writeFileSync(
      path.join(folder, 'part.module.css'),
      '/* .said */ .used, .left:hover p { margin: 0.5em } @media (width < 30em) { .narrow { gap: 0 } } .a { composes: base; } .base {}',
    );
    fs.writeFileSync(
      path.join(folder, 'Part.tsx'),
      "import styles from './part.module.css';\nexport const Part = () => [styles.used, styles.a, styles.gone];\n",
    );
    expect(strayClasses(folder)).toEqual({
      unused: ['part.module.css left', 'part.module.css narrow'],
      missing: ['part.module.css gone'],
    });
    fs.appendFileSync(path.join(folder, 'Part.tsx'), 'export const of = (one: string) => styles[one];\n');
    expect(strayClasses(folder).unused).toEqual([]);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
