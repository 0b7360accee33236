/**
 * Tests on the other supported versions of Node, from the folder `NODE_LINES` that `scripts/fetch-node-lines.sh` fills.
 * On each: start, sign-in, first job and the tests of the libraries. All versions must also validate and fold events in
 * the same way.
 */
import fs from 'node:fs';
import path from 'node:path';
import { bundle } from '../bundle.mjs';
import { runNode } from './programs.mjs';
import { runJest } from './suites.mjs';

const TOO_OLD = '18';
const OTHERS = ['22', '24', '26'];

/** @returns {Promise<import('../test.mjs').Outcome>} */
export async function runLines() {
  const folder = process.env.NODE_LINES;
  if (!folder) {
    console.log('\nOTHER LINES OF NODE ARE LEFT OUT: NODE_LINES names no folder with their programs');
    return { passed: 0, failures: [] };
  }
  const lines = OTHERS.map((line) => ({ line, node: programOf(folder, line) }));
  const outcomes = [await endsOnOlder(programOf(folder, TOO_OLD)), await judgesAlike(lines)];
  for (const { line, node } of lines) {
    const { passed, failures } = await runJest(`Node ${line}`, ['libs/', 'e2e/lines/'], { node });
    const named = failures.map(({ title, output }) => ({ title: `Node ${line}: ${title}`, output }));
    outcomes.push({ passed, failures: named });
  }
  return {
    passed: outcomes.reduce((sum, outcome) => sum + outcome.passed, 0),
    failures: outcomes.flatMap((outcome) => outcome.failures),
  };
}

function programOf(folder, line) {
  const packages = path.join(folder, line, 'node_modules');
  const found = fs.readdirSync(packages).find((name) => name.startsWith('node-linux-'));
  if (found === undefined) throw new Error(`${packages} has no Node ${line}`);
  return path.join(packages, found, 'bin/node');
}

async function endsOnOlder(node) {
  const { output } = await runNode(['scripts/start.mjs'], { minutes: 1, node });
  const right = /^Node 18\.[\d.]+ is too old: .*\n$/.test(output);
  return outcomeOf(
    `npm start on Node ${TOO_OLD} says in one line that it is too old`,
    right ? undefined : output,
  );
}

/** The machine's own version is the oldest supported one, in `.ci/run`. */
async function judgesAlike(lines) {
  const judge = await bundle('e2e/lines/judge.ts');
  const answers = await Promise.all(
    [{ line: process.versions.node, node: process.execPath }, ...lines].map(async ({ line, node }) => {
      const { ok, stdout, output } = await runNode([judge, 'libs/events/samples'], { minutes: 2, node });
      return { line, answer: ok ? stdout.split('\n') : [`failed: ${output}`] };
    }),
  );
  const [first, ...others] = answers;
  const differences = others.flatMap(({ line, answer }) => {
    const at = answer.findIndex((text, index) => text !== first.answer[index]);
    return at < 0 && answer.length === first.answer.length
      ? []
      : [`Node ${first.line}: ${first.answer[at]}\nNode ${line}: ${answer[at]}`];
  });
  if (first.answer.length < 1000) differences.push(first.answer.join('\n'));
  return outcomeOf(
    'what is recorded is judged and folded alike on every line of Node',
    differences.join('\n'),
  );
}

function outcomeOf(title, complaint) {
  console.log(`${complaint ? 'FAILED' : 'passed'} ${title}`);
  return complaint ? { passed: 0, failures: [{ title, output: complaint }] } : { passed: 1, failures: [] };
}
