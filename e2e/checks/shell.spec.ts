/** The check of the shell finds each fault that is planted in a copy of the back end. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const source = 'apps/backend/src';
let copy: string;

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
/** A module that imports the scripts. */
const user = (...scripts: string[]): string =>
  scripts.map((name) => `export { default as ${name} } from './${name}.sh';`).join('\n');

const faults: { what: string; files: Record<string, string>; complaint: string }[] = [
  {
    what: 'a name that nobody sets',
    files: { 'planted/typo.sh': 'echo "$plase"' },
    complaint: 'planted/typo.sh:1:7: warning: plase is referenced but not assigned',
  },
  {
    what: 'an unquoted value',
    files: { 'planted/unquoted.sh': ': "${place?}"\nls $place' },
    complaint: 'planted/unquoted.sh:2:4: note: Double quote to prevent',
  },
  {
    what: 'what only bash knows',
    files: { 'planted/bash.sh': '[[ -e /x ]] && ls' },
    complaint: 'planted/bash.sh:1:1: warning: In POSIX sh, [[ ]] is undefined',
  },
  {
    what: 'a fault in a sourced part',
    files: { 'planted/whole.sh': '. planted/part.sh\nls', 'planted/part.sh': 'cd "$nowhere"' },
    complaint: 'planted/part.sh:1:5: warning: nowhere is referenced but not assigned',
  },
  {
    what: 'a name taken for nothing',
    files: { 'planted/nothing.sh': ': "${place?}"\nls' },
    complaint: 'planted/nothing.sh: it takes place, and does not use it',
  },
  {
    what: 'a script that nobody uses',
    files: { 'planted/left.sh': 'ls' },
    complaint: 'planted/left.sh: nobody imports or sources it',
  },
  {
    what: 'a script sourcing what another room does not offer',
    files: { 'planted/detour.sh': '. other/inner.sh\nls', 'other/inner.sh': 'inner=1' },
    complaint: 'planted/detour.sh: other/inner.sh belongs to another room',
  },
];

beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'quarterdeck-shell-'));
  const parts = [
    'scripts/lint/shell.mjs',
    'scripts/shell-files.mjs',
    'apps/backend/.shellcheckrc',
    '.ci/run',
  ];
  for (const part of parts) {
    mkdirSync(path.join(copy, path.dirname(part)), { recursive: true });
    copyFileSync(path.join(root, part), path.join(copy, part));
  }
  plant({
    'right/index.ts': user('right'),
    'right/right.sh': '. other/shell/offered.sh\n: "${place?}"\noffered "$place"',
    'other/shell/offered.sh': 'offered() { ls "$1"; }',
  });
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

it('accepts scripts without a fault', () => {
  expect(check()).toEqual({ status: 0, stdout: '2 scripts\n' });
});

it('refuses each planted fault', () => {
  for (const { files } of faults) plant(files);
  plant({
    'planted/index.ts': user('typo', 'unquoted', 'bash', 'whole', 'nothing', 'detour'),
  });
  const { status, stdout } = check();
  expect(status).toBe(1);
  const lines = stdout.split('\n');
  const unseen = faults.filter(({ complaint }) => !lines.some((line) => line.includes(complaint)));
  expect(unseen.map(({ what }) => what)).toEqual([]);
  expect(lines.filter((line) => line.includes('right'))).toEqual([]);
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
