/** When `npm start` and `npm test` install packages. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-install-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const wanted = {
  '': {},
  'apps/backend': { version: '1.0.0' },
  'node_modules/own': { resolved: 'apps/backend', link: true },
  'node_modules/a': { version: '1.2.3' },
  'node_modules/binary-elsewhere': { version: '1.0.0', optional: true, os: ['aix'] },
};
const { '': _root, 'node_modules/binary-elsewhere': _binary, ...installed } = wanted;

function whyInstall(lock: object, present: object | undefined): string {
  fs.rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
  fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: lock }));
  if (present) {
    fs.mkdirSync(path.join(folder, 'node_modules'));
    fs.writeFileSync(
      path.join(folder, 'node_modules/.package-lock.json'),
      JSON.stringify({ packages: present }),
    );
  }
  const script = `import('./scripts/install.mjs').then((m) => console.log(m.whyInstall(process.argv[1]) ?? 'no need'))`;
  return execFileSync(process.execPath, ['-e', script, folder], { cwd: root, encoding: 'utf8' }).trim();
}

it.each([
  ['everything is there', wanted, installed, 'no need'],
  ['nothing is there', wanted, undefined, 'none are there'],
  [
    'a package came into the lock file',
    { ...wanted, 'node_modules/b': { version: '1.0.0' } },
    installed,
    'node_modules/b is missing',
  ],
  [
    'a version changed',
    { ...wanted, 'node_modules/a': { version: '1.2.4' } },
    installed,
    'node_modules/a is not version 1.2.4',
  ],
  [
    'a package left the lock file',
    wanted,
    { ...installed, 'node_modules/old': { version: '1.0.0' } },
    'node_modules/old is not in the lock file',
  ],
  [
    'the folder was copied from another machine',
    wanted,
    { ...installed, 'node_modules/binary-elsewhere': wanted['node_modules/binary-elsewhere'] },
    'node_modules/binary-elsewhere is for another machine',
  ],
])('%s', (_what, lock, present, answer) => {
  expect(whyInstall(lock, present)).toBe(answer);
});

it('links a workspace library that was added after the last installation', () => {
  whyInstall(wanted, installed);
  const script = `import('./scripts/install.mjs').then((m) => m.linkOurs(process.argv[1]))`;
  execFileSync(process.execPath, ['-e', script, folder], { cwd: root });
  expect(fs.readlinkSync(path.join(folder, 'node_modules/own'))).toBe('../apps/backend');
});
