/** The check of the shell finds each fault that is planted in a copy of the back end. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const source = 'apps/backend/src';
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'quarterdeck-shell-'));
  for (const part of ['scripts/lint/shell.mjs', 'scripts/shell-files.mjs', 'apps/backend/.shellcheckrc']) {
    mkdirSync(path.join(copy, path.dirname(part)), { recursive: true });
    copyFileSync(path.join(root, part), path.join(copy, part));
  }
  cpSync(path.join(root, source, 'servers'), path.join(copy, source, 'servers'), { recursive: true });
  cpSync(path.join(root, '.ci'), path.join(copy, '.ci'), { recursive: true });
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

const plant = (files: Record<string, string>): void => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(copy, source, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(copy, source, file), `${text}\n`);
  }
};
const check = (env = process.env) => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/lint/shell.mjs'], {
    cwd: copy,
    encoding: 'utf8',
    env,
  });
  return { status, stdout };
};
const imports = (file: string) => `import planted from '${file}';\nexport const text = planted.text;`;

it('accepts scripts without a fault', () => {
  plant({
    'planted/a.ts': imports('./a.sh'),
    'planted/a.sh': '. ../servers/shell/prelude.sh\n: "${place?}"\nhave ls && ls "$place"',
  });
  expect(check()).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+ scripts\n$/) });
});

it.each([
  ['a name that nobody sets', { 'planted/a.sh': 'echo "$plase"' }, 'a.sh:1:7: warning: plase is referenced'],
  ['an unquoted value', { 'planted/a.sh': ': "${place?}"\nls $place' }, 'a.sh:2:4: note: Double quote'],
  ['what only bash knows', { 'planted/a.sh': '[[ -e /x ]] && ls' }, 'a.sh:1:1: warning: In POSIX sh'],
  [
    'a fault in a sourced part',
    { 'planted/a.sh': '. ./b.sh\nls', 'planted/b.sh': 'cd "$nowhere"' },
    'planted/b.sh:1:5: warning: nowhere is referenced',
  ],
  [
    'a name taken for nothing',
    { 'planted/a.sh': ': "${place?}"\nls' },
    'it takes place, and does not use it',
  ],
  ['a script of nobody', { 'planted/a.sh': 'ls', 'planted/left.sh': 'ls' }, 'left.sh: nobody imports'],
  [
    'a script sourcing what another room does not offer',
    { 'planted/a.sh': '. ../servers/commands/docker.sh\nls' },
    'belongs to another room',
  ],
])('refuses %s', (_what, files, complaint) => {
  plant({ 'planted/a.ts': imports('./a.sh'), ...files });
  expect(check()).toEqual({ status: 1, stdout: expect.stringContaining(complaint) });
});

it('fails, and says how to install shellcheck, if it is missing', () => {
  const tools = path.join(copy, 'tools');
  mkdirSync(tools);
  symlinkSync(process.execPath, path.join(tools, 'node'));
  expect(check({ PATH: tools })).toEqual({
    status: 1,
    stdout: expect.stringContaining('apt-get install shellcheck'),
  });
});
