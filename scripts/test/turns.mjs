/**
 * The dearest tests take turns in CI: with `TEST_TURN`, a run has the tests of its turn and all that are cheap. All of them
 * take over an hour on a slow machine, and a run that does not end proves nothing. `npm test` without it has all of them.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const TURNS = 4;
/** Seconds. A jest file that took as long is dear (scripts/jest/durations.json). */
const DEAR = 10;
const root = path.resolve(import.meta.dirname, '../..');

/**
 * @param {string | undefined} asked `TEST_TURN`: a number, or `commit` for the number of commits so far
 * @returns {number | undefined} nothing: all tests
 */
export const turnOf = (asked) => {
  if (asked === undefined || asked === '') return undefined;
  const number =
    asked === 'commit'
      ? Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' }))
      : Number(asked);
  if (!Number.isInteger(number) || number < 0)
    throw new Error(`TEST_TURN=${asked} is neither a number nor commit`);
  return number % TURNS;
};

/** Neighbours go to different turns. */
const ofOthers = (names, turn) => names.filter((_, at) => at % TURNS !== turn);

/** @returns {string[]} jest files that other turns have */
export const jestOfOthers = (turn) => {
  if (turn === undefined) return [];
  const seconds = JSON.parse(fs.readFileSync(path.join(root, 'scripts/jest/durations.json'), 'utf8'));
  const dear = Object.keys(seconds).filter((name) => name.startsWith('e2e/') && seconds[name] >= DEAR);
  return ofOthers(
    dear.toSorted((a, b) => seconds[b] - seconds[a] || a.localeCompare(b)),
    turn,
  );
};

/** @returns {string[]} browser tests that other turns have: each is dear */
export const browserOfOthers = (turn) => {
  if (turn === undefined) return [];
  const names = fs.readdirSync(path.join(root, 'e2e/browser')).filter((name) => name.endsWith('.e2e.ts'));
  return ofOthers(names.toSorted(), turn);
};
