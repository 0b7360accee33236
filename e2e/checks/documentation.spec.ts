/** Commands and files that the documents name must exist. */
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

const documents = ['README.md', 'CONTRIBUTING.md', 'docs/commands.md'];
const manual = fs.readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', 'CONTRIBUTING.md', ...manual.map((name) => `docs/${name}`)];
const index = 'docs/decisions/README.md';
const decisions = fs.readdirSync(path.join(root, 'docs/decisions')).filter((name) => name !== 'README.md');

it.each(pages)('%s names only scripts that exist', (file) => {
  const named = [...read(file).matchAll(/npm (?:run )?([a-z][\w-]*)/g)].map((match) => match[1] as string);
  const npmsOwn = ['install', 'ci'];
  expect(named.filter((name) => !npmsOwn.includes(name) && !(name in scripts))).toEqual([]);
});

it('documents every script', () => {
  const text = documents.map(read).join('\n');
  expect(Object.keys(scripts).filter((name) => !new RegExp(`npm (run )?${name}\\b`).test(text))).toEqual([]);
});

it('every script runs an existing file', () => {
  const files = Object.values(scripts).flatMap((script) => /^node (\S+)/.exec(script)?.[1] ?? []);
  expect(files.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});

it.each([...pages, index, ...decisions.map((name) => `docs/decisions/${name}`)])(
  '%s links to existing files',
  (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] as string);
    expect(links.filter((link) => !fs.existsSync(path.resolve(root, path.dirname(file), link)))).toEqual([]);
  },
);

it('documents every environment variable', () => {
  const variables = [
    ...read('apps/backend/src/platform/config/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm),
  ].map((match) => match[1] as string);
  expect(variables.length).toBeGreaterThan(10);
  expect(variables.filter((name) => !read('docs/settings.md').includes(`\`${name}\``))).toEqual([]);
});

it('gives every decision a unique number', () => {
  const numbers = decisions.map((name) => /^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1] ?? name);
  expect(numbers).toEqual([...new Set(numbers)]);
  expect(numbers.filter((number) => !/^\d{4}$/.test(number))).toEqual([]);
});

it('lists every page of the manual in the README, and every decision in the index', () => {
  expect(manual.filter((name) => !read('README.md').includes(`](docs/${name})`))).toEqual([]);
  expect(decisions.filter((name) => !read(index).includes(`](${name})`))).toEqual([]);
});

it('keeps the README short', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(91);
});
