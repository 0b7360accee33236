/**
 * `npm run bench [-- --quick] [--against FILE] [name …]`: runs the programs of bench/ one after the other, each figure
 * with its floor. Writes bench/latest.json, and compares it with such a file of an earlier run. Exits with 1 if a
 * target was missed or a figure became worse.
 */
import './supported-node.mjs';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildWhenNeeded } from './build.mjs';
import { bundle } from './bundle.mjs';

process.chdir(path.resolve(import.meta.dirname, '..'));

/** Files that end with `finish(…)` are programs; the others are their modules. */
const programs = fs
  .readdirSync('bench')
  .filter(
    (file) =>
      file.endsWith('.ts') && /^import .*\bfinish\b/m.test(fs.readFileSync(path.join('bench', file), 'utf8')),
  )
  .map((file) => path.basename(file, '.ts'));

function usageError(message) {
  console.error(message);
  process.exit(2);
}

function options() {
  try {
    return parseArgs({
      options: { quick: { type: 'boolean', default: false }, against: { type: 'string' } },
      allowPositionals: true,
    });
  } catch (error) {
    return usageError(`${error.message}; usage: npm run bench -- [--quick] [--against FILE] [name …]`);
  }
}

function earlierRun(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    return usageError(`--against: ${file} is not a file of an earlier run: ${error.message}`);
  }
}

const { values, positionals: wanted } = options();
const unknown = wanted.filter((name) => !programs.includes(name));
if (unknown.length > 0)
  usageError(`no such benchmark: ${unknown.join(', ')}; there are ${programs.join(', ')}`);
const earlier = values.against === undefined ? undefined : earlierRun(values.against);

await buildWhenNeeded();
const machine = `${os.cpus().length} x ${os.cpus()[0].model.trim()}, Node ${process.version}`;
const load = os.loadavg()[0].toFixed(1);
console.log(`${machine}, load before: ${load}`);

/** Processor time so far in clock ticks: all, idle, and stolen, which the machine's host gave to others. */
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

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-bench-'));
const run = { at: new Date().toISOString(), machine, load: Number(load), quick: values.quick, programs: {} };
for (const name of wanted.length > 0 ? wanted : programs) {
  console.log(`\n${name}`);
  const program = await bundle(`bench/${name}.ts`);
  const before = stolen();
  const began = performance.now();
  const lines = path.join(folder, `${name}.json`);
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', program], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, BENCH_LINES: lines, ...(values.quick ? { BENCH_QUICK: '1' } : {}) },
  });
  if (status !== 0) process.exitCode = 1;
  if (fs.existsSync(lines)) run.programs[name] = JSON.parse(fs.readFileSync(lines, 'utf8'));
  console.log(`(${Math.round((performance.now() - began) / 1000)} s)`);
  const after = stolen();
  const busy = after.all - after.idle - (before.all - before.idle);
  const percent = Math.round((100 * (after.stolen - before.stolen)) / Math.max(busy, 1));
  // Both sides of a ratio suffer, but not equally: bursts make a figure unreliable.
  if (percent > 2) console.log(`(${percent} % of the time that this needed was taken by the machine's host)`);
}
fs.rmSync(folder, { recursive: true });
fs.writeFileSync('bench/latest.json', `${JSON.stringify(run, null, 2)}\n`);

if (earlier) {
  console.log(`\nagainst the run of ${earlier.at}`);
  if (earlier.machine !== run.machine) console.log(`(that one ran on ${earlier.machine})`);
  if (earlier.quick !== run.quick)
    console.log(`(that one ran ${earlier.quick ? 'with' : 'without'} --quick)`);
  const { comparison } = await import(await bundle('bench/comparison.ts'));
  const compared = comparison(earlier, run);
  for (const { text } of compared) console.log(text);
  if (compared.some(({ change }) => change === 'worse')) process.exitCode = 1;
}
