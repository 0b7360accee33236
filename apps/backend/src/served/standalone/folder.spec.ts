// covers: API-02
import { archiveOf } from './archive';
import { folderOf } from './folder';
import { VARIABLES } from './settings';

const files = folderOf({
  stem: 'shop-api',
  title: 'Shop API',
  definition: {
    dialect: 'mysql',
    description: {
      instance: 'shop',
      position: '42',
      model: { entities: [], optionSets: [] },
      options: {},
      endpoints: [],
      requestsPerMinute: 600,
      snippetMs: 200,
    },
  },
  runtime: {
    files: new Map([['runtime/standalone.js', Buffer.from('//')]]),
    dependencies: { '@node-rs/argon2': '2.2.1' },
    platform: 'linux-x64',
  },
});
const text = (name: string): string => files.get(name)?.toString() ?? '';

test('has what is needed to serve it, and to build an image of it', () => {
  expect([...files.keys()].toSorted()).toEqual([
    '.dockerignore',
    '.env.example',
    'Dockerfile',
    'README.md',
    'definition.json',
    'package.json',
    'runtime/standalone.js',
    'server.js',
  ]);
  expect(JSON.parse(text('definition.json'))).toMatchObject({
    dialect: 'mysql',
    description: { position: '42' },
  });
  expect(JSON.parse(text('package.json'))).toMatchObject({
    name: 'shop-api',
    type: 'module',
    dependencies: { '@node-rs/argon2': '2.2.1' },
  });
  expect(text('README.md')).toContain('MySQL or MariaDB');
  expect(text('README.md')).toContain('position 42');
});

test('names each variable, with no value', () => {
  const lines = text('.env.example').split('\n');
  expect(lines.filter((line) => /^[^#]/.test(line))).toEqual(
    Object.keys(VARIABLES).map((name) => `${name}=`),
  );
});

test('an API that is too large is refused with what to do', async () => {
  await expect(
    archiveOf('shop-api', new Map([['definition.json', Buffer.alloc(65 * 1024 * 1024)]])),
  ).rejects.toThrow('this API is larger than 64 MB: remove endpoints, or divide it into instances');
});
