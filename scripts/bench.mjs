/**
 * `npm run bench [-- name …]`: the programs of bench/ one after the other, each figure beside its floor. Exits with 1
 * when a target was missed.
 */
import './supported-node.mjs';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildWhenNeeded } from './build.mjs';
import { bundle } from './bundle.mjs';

process.chdir(path.resolve(import.meta.dirname, '..'));

/** A program is what ends with `finish(…)`; the rest of the folder is what the programs stand on. */
const programs = fs
  .readdirSync('bench')
  .filter(
    (file) =>
      file.endsWith('.ts') && /^import .*\bfinish\b/m.test(fs.readFileSync(path.join('bench', file), 'utf8')),
  )
  .map((file) => path.basename(file, '.ts'));

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !programs.includes(name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}; there are ${programs.join(', ')}`);
  process.exit(2);
}

await buildWhenNeeded();
const load = os.loadavg()[0].toFixed(1);
console.log(
  `${os.cpus().length} x ${os.cpus()[0].model.trim()}, Node ${process.version}, load before: ${load}`,
);

/** Of all processor time so far: what this machine wanted and its host gave to others, in clock ticks. */
function stolen() {
  const ticks = fs
    .readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]
    .trim()
    .split(/\s+/)
    .slice(1, 9)
    .map(Number);
  return { all: ticks.reduce((sum, one) => sum + one, 0), idle: ticks[3] + ticks[4], stolen: ticks[7] };
}

for (const name of wanted.length > 0 ? wanted : programs) {
  console.log(`\n${name}`);
  const program = await bundle(`bench/${name}.ts`);
  const before = stolen();
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', program], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exitCode = 1;
  const after = stolen();
  const busy = after.all - after.idle - (before.all - before.idle);
  const percent = Math.round((100 * (after.stolen - before.stolen)) / Math.max(busy, 1));
  // Both sides of a ratio suffer, but not alike: bursts of it make a figure worth little.
  if (percent > 2) console.log(`(${percent} % of the time that this needed was taken by the machine's host)`);
}
