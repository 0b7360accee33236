/**
 * `npm test`: installs and builds what is missing, then everything: format, lint, types, boundaries, unused code,
 * unit and integration tests, browser tests. Every check counts as one test. Ends with `N passed, N failed`.
 *
 *   npm test -- --only check|unit|e2e|browser|lines    one part, for developers
 *   npm test -- --keep-durations                       also records how long each jest file took
 */
import './supported-node.mjs';
import path from 'node:path';
import { buildWhenNeeded } from './build.mjs';
import { runChecks } from './test/checks.mjs';
import { runLanes } from './test/lanes.mjs';
import { runLines } from './test/lines.mjs';
import { browserOfOthers, jestOfOthers, turnOf, TURNS } from './test/turns.mjs';
import { runBrowser, runJest } from './test/suites.mjs';

process.chdir(path.resolve(import.meta.dirname, '..'));
process.env.NODE_ENV = 'test';
process.env.CI ??= 'true';
if (!process.stdout.isTTY) process.env.NO_COLOR = '1';

/** @typedef {{ passed: number, failures: { title: string, output: string }[] }} Outcome */

const keepDurations = process.argv.includes('--keep-durations');
const check = { title: 'check', run: runChecks };
const lines = { title: 'other lines of Node', run: runLines };
const jest = (title, args) => ({ title, run: () => runJest(title, args, { keepDurations }) });

const parts = {
  check: [[check]],
  unit: [[jest('unit and integration', ['--testPathIgnorePatterns', '/node_modules/', '/e2e/'])]],
  e2e: [[jest('whole system', ['e2e/'])]],
  browser: [[{ title: 'browser', run: () => runBrowser() }]],
  lines: [[lines]],
};
const everything = [
  [jest('unit, integration and whole system', [])],
  [check, { title: 'browser', run: () => runBrowser({ beside: true }) }, lines],
];

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
if (only !== undefined && !(only in parts)) {
  console.error(`--only knows ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}

const started = Date.now();
const turn = turnOf(process.env.TEST_TURN);
if (turn !== undefined) {
  // The same for all parts, whatever happens to the repository meanwhile.
  process.env.TEST_TURN = String(turn);
  const others = [...jestOfOthers(turn), ...browserOfOthers(turn).map((name) => `e2e/browser/${name}`)];
  console.log(
    `turn ${turn + 1} of ${TURNS}. Other turns have these ${others.length} files: ${others.join(', ')}`,
  );
}
// Continues after a failed build: browser tests cannot pass then, but the checks show the cause.
const built = await build();
report([built, ...(await runLanes(only === undefined ? everything : parts[only]))]);

/** @returns {Promise<Outcome>} */
async function build() {
  try {
    const all = only !== 'check' && only !== 'unit';
    await buildWhenNeeded(all ? undefined : []);
    if (all) process.env.BUILT_BY_NPM_TEST = 'yes';
    return { passed: 1, failures: [] };
  } catch (error) {
    return { passed: 0, failures: [{ title: 'install and build', output: String(error.stack ?? error) }] };
  }
}

function report(all) {
  const passed = all.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failures = all.flatMap((outcome) => outcome.failures);
  for (const { title, output } of failures) console.log(`\nFAILED ${title}\n${indent(output)}`);
  console.log(`\n${Math.round((Date.now() - started) / 1000)} s`);
  for (const { title, output } of failures) console.log(`failed: ${title}: ${reasonIn(output)}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  // More than the build must have run, or a pass would mean nothing.
  process.exitCode = failures.length > 0 || passed < 2 ? 1 : 0;
}

/** In one line, since a long log may be shown without its middle. */
function reasonIn(output) {
  const lines = output.split('\n').map((line) => line.trim());
  const reason = lines.filter((line) => line !== '' && !line.startsWith('at '));
  return reason.slice(0, 8).join(' | ').slice(0, 500);
}

function indent(text) {
  const lines = text.trimEnd().split('\n');
  const shown =
    lines.length > 80
      ? [...lines.slice(0, 40), `… ${lines.length - 80} lines …`, ...lines.slice(-40)]
      : lines;
  return shown.map((line) => `  ${line}`).join('\n');
}
