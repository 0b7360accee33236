/** Jest and Playwright: their progress is shown as it comes, and their results are read from JSON. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { noteDurations } from './durations.mjs';
import { runNode } from './programs.mjs';

/**
 * @param {{ node?: string, keepDurations?: boolean }} [options]
 * @returns {Promise<import('../test.mjs').Outcome>}
 */
export async function runJest(title, args, { node = process.execPath, keepDurations = false } = {}) {
  const { text, ok, stopped } = await withResults(title, (file) => ({
    args: [
      'node_modules/jest/bin/jest.js',
      ...args,
      // Last, since jest takes what follows for more reporters.
      '--reporters=default',
      `--reporters=${path.resolve('scripts/jest/results-reporter.cjs')}`,
    ],
    env: { JEST_RESULTS_FILE: file },
    node,
  }));
  // The last line may not be whole if jest was killed.
  const lines = text.split('\n').slice(0, -1);
  const [begun, results] = ['begun', 'name'].map((key) =>
    lines.map((line) => JSON.parse(line)).filter((line) => key in line),
  );
  const ended = new Set(results.map(({ name }) => name));
  const running = begun.map((line) => line.begun).filter((name) => !ended.has(name));
  if (results.length > 0) noteDurations(results, keepDurations);
  const failures = [];
  if (stopped || running.length > 0) {
    const names = running.map((name) => path.relative(process.cwd(), name)).join(', ');
    failures.push({ title, output: `${stopped ?? 'ended'} while these were running: ${names}` });
  }
  for (const suite of results) {
    const file = path.relative(process.cwd(), suite.name);
    const failed = suite.assertionResults.filter((test) => test.status !== 'passed');
    for (const test of failed) {
      const output = test.status === 'failed' ? test.failureMessages.join('\n') : `${test.status}, not run`;
      failures.push({ title: `${file} › ${test.fullName}`, output: stripVTControlCharacters(output) });
    }
    if (suite.status === 'failed' && failed.length === 0) {
      failures.push({ title: file, output: stripVTControlCharacters(suite.message) });
    }
  }
  const passed = results.reduce((sum, { numPassingTests }) => sum + numPassingTests, 0);
  return judge(title, passed, failures, ok);
}

/**
 * @param {{ beside?: boolean }} [options] `beside`: another suite runs at the same time, on the same processors
 * @returns {Promise<import('../test.mjs').Outcome>}
 */
export async function runBrowser({ beside = false } = {}) {
  const title = 'browser';
  const { text, ok, stopped } = await withResults(title, (file) => ({
    args: [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--reporter=list,json',
      // It then says itself which test was running, and which ones did not run.
      `--global-timeout=${Math.round(Math.max(1, minutesLeft() - LAST_WORDS_MINUTES) * 60_000)}`,
      ...(beside ? ['--workers=1'] : []),
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    show: beside ? title : true,
  }));
  const results = text === '' ? undefined : JSON.parse(text);
  const failures = (results?.errors ?? []).map((error) => ({ title, output: plain(error) }));
  if (stopped) failures.push({ title, output: stopped });
  let passed = 0;
  for (const { file, name, test } of (results?.suites ?? []).flatMap((suite) => testsOf(suite, []))) {
    if (test.status === 'expected') passed += 1;
    else failures.push({ title: `${file} › ${name}`, output: explain(test) });
  }
  return judge(title, passed, failures, ok);
}

function testsOf(suite, above) {
  const titles = suite.title && suite.title !== suite.file ? [...above, suite.title] : above;
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({ file: spec.file, name: [...titles, spec.title].join(' › '), test })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, titles))];
}

function explain(test) {
  const messages = test.results.flatMap((result) => result.errors ?? []).map(plain);
  const pages = test.results.flatMap((result) => result.attachments ?? []).flatMap(shownOn);
  return [...messages, ...pages].join('\n') || `${test.status}, not passed`;
}

/** What the page showed when a test failed: the failure's folder is deleted, so it has to be printed here. */
function shownOn({ name, path: file }) {
  if (name !== 'error-context' || !file || !fs.existsSync(file)) return [];
  const main = /^- main:\n(?:  .*\n)*/m.exec(fs.readFileSync(file, 'utf8'))?.[0];
  return main ? ['shown on the page:', ...main.split('\n').slice(0, 30)] : [];
}

const plain = (error) => stripVTControlCharacters(`${error.message ?? ''}\n${error.snippet ?? ''}`);

/**
 * Of the whole run, whose parts follow one another: below the CI's limit of 90 minutes, which also counts what `.ci/run`
 * installs, so that the report names the part that was too slow.
 */
const MINUTES = Number(process.env.TEST_MINUTES ?? 84);
/** In which Playwright ends its browsers, and reports. */
const LAST_WORDS_MINUTES = 3;

const minutesLeft = () => MINUTES - (Date.now() - performance.timeOrigin) / 60_000;

async function withResults(title, command) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-results-'));
  const file = path.join(folder, 'results.json');
  const { args, env, node, show = true } = command(file);
  console.log(`\n${title}`);
  try {
    // A part that comes late still gets a moment, so that it is named as well.
    const minutes = Math.max(MINUTES / 80, minutesLeft());
    const { ok, stopped } = await runNode(args, { minutes, show, env, node });
    const why = stopped ? `stopped, because the run was not done after ${MINUTES} minutes` : undefined;
    if (why) console.log(`\n${title}: ${why}`);
    return { ok, stopped: why, text: fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '' };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A suite that ran no test, or ended with an error without naming a failed test, has failed too. */
function judge(title, passed = 0, failures = [], ok = false) {
  if (failures.length === 0 && (passed === 0 || !ok)) {
    failures.push({
      title,
      output: passed === 0 ? 'no test ran' : 'all tests passed, but the run ended with an error',
    });
  }
  return { passed, failures };
}
