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
  const { results, ok } = await withResults(title, (file) => ({
    args: ['node_modules/jest/bin/jest.js', '--json', `--outputFile=${file}`, ...args],
    node,
  }));
  if (results) noteDurations(results, keepDurations);
  const failures = [];
  for (const suite of results?.testResults ?? []) {
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
  return judge(title, results?.numPassedTests, failures, ok);
}

/**
 * @param {{ beside?: boolean }} [options] `beside`: another suite runs at the same time, on the same processors
 * @returns {Promise<import('../test.mjs').Outcome>}
 */
export async function runBrowser({ beside = false } = {}) {
  const title = 'browser';
  const { results, ok } = await withResults(title, (file) => ({
    args: [
      ...['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'],
      ...(beside ? ['--workers=1'] : []),
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    show: beside ? title : true,
  }));
  const failures = (results?.errors ?? []).map((error) => ({ title, output: plain(error) }));
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

/** Below the CI's limit of 90 minutes, so that the report names the part that was too slow. */
const MINUTES = 85;

async function withResults(title, command) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-results-'));
  const file = path.join(folder, 'results.json');
  const { args, env, node, show = true } = command(file);
  console.log(`\n${title}`);
  try {
    const { ok, stopped } = await runNode(args, { minutes: MINUTES, show, env, node });
    if (stopped) console.log(`\n${title}: stopped, because it was not done after ${MINUTES} minutes`);
    return { ok, results: fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined };
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
