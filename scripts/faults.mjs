/**
 * `npm run faults -- --n 100 [words …]`: runs every fault of e2e/faults, every fuzz test and the killed applies of a
 * site that many times (expensive ones less often), or only those whose title contains one of the words, and prints the
 * pass rates. `npm test` runs each once, but those of e2e/faults/long. `npm run faults -- soak` is a run of 20 minutes (`--minutes`).
 * `--from 100` leaves out the first 100 trials of each, so a long run can be done in portions.
 *
 * `late` runs the tests of pages that many times, with answers and parts that overtake each other and tests in a random
 * order (seeds come in pairs: testing/late.ts); `slow` runs the browser tests once, with pages that are slowed. Without words, one pair and `slow` run as well.
 */
import './supported-node.mjs';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildWhenNeeded } from './build.mjs';
import { runLate, runSlow } from './test/late.mjs';
import { runNode } from './test/programs.mjs';

process.chdir(path.resolve(import.meta.dirname, '..'));

const { values, positionals } = parseArgs({
  options: {
    n: { type: 'string', default: '10' },
    from: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '20' },
  },
  allowPositionals: true,
});
if (!/^[1-9]\d*$/.test(values.n)) {
  console.error(`--n ${values.n} is not a number of trials`);
  process.exit(2);
}
if (!/^\d{1,6}$/.test(values.from)) {
  console.error(`--from ${values.from} is not the number of a trial`);
  process.exit(2);
}
if (!/^[1-9]\d{0,3}$/.test(values.minutes)) {
  console.error(`--minutes ${values.minutes} is not a number of minutes`);
  process.exit(2);
}
// Otherwise it takes some seconds.
const soak = positionals.includes('soak') ? { SOAK_MINUTES: values.minutes } : {};

const load = os.loadavg()[0].toFixed(1);
await buildWhenNeeded();
const apart = { late: () => runLate(Number(values.n)), slow: runSlow };
const [first] = positionals;
if (first !== undefined && Object.hasOwn(apart, first)) {
  process.exitCode = (await apart[first]()) ? 0 : 1;
  process.exit();
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-faults-'));
const report = path.join(folder, 'report.jsonl');
try {
  const { ok } = await runNode(
    [
      'node_modules/jest/bin/jest.js',
      '--runInBand',
      'e2e/faults/',
      'e2e/fuzz/',
      'e2e/webserver/builder',
      'e2e/webserver/apply-killed',
      ...(positionals.length > 0 ? ['--testNamePattern', positionals.join('|')] : []),
    ],
    {
      minutes: 24 * 60,
      show: true,
      env: { NODE_ENV: 'test', FAULTS_N: values.n, FAULTS_FROM: values.from, FAULTS_REPORT: report, ...soak },
    },
  );
  const lines = fs.existsSync(report)
    ? fs
        .readFileSync(report, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  if (lines.length > 0) print(lines);
  else if (ok)
    console.error(`\nNo title of a fault contains ${positionals.map((word) => `"${word}"`).join(' or ')}.`);
  const slowed = positionals.length === 0 ? [await runLate(2), await runSlow()] : [];
  process.exitCode = ok && lines.length > 0 && !slowed.includes(false) ? 0 : 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

function print(lines) {
  console.log();
  for (const { fault, must, turns, passed, figure, reason } of lines) {
    const rate = `${passed}/${turns}`.padStart(9);
    console.log(
      `${rate}  ${fault}: ${must}${figure ? ` (${figure})` : ''}${reason ? `\n           first failure: ${reason}` : ''}`,
    );
  }
  const [trials, passed] = [
    lines.reduce((sum, line) => sum + line.turns, 0),
    lines.reduce((sum, line) => sum + line.passed, 0),
  ];
  console.log(`\n${passed} of ${trials} trials of ${lines.length} faults passed`);
  // Time limits are enforced here, and on a busy machine a back end cannot be ready within 5 s.
  console.log(`${os.cpus().length} processors, load before: ${load}`);
}
