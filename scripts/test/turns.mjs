/**
 * The dearest tests take turns in CI: with `TEST_TURN`, a run has the tests of its turn and all that are cheap. All of them
 * take over an hour on a slow machine, and a run that does not end proves nothing. `npm test` without it has all of them.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const TURNS = 3;
/** Seconds. A jest file that took as long is dear (scripts/jest/durations.json). */
const DEAR = 30;
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

const ofOthers = (names, turn, turns) => names.toSorted().filter((_, at) => at % turns !== turn % turns);

/** @returns {string[]} jest files that other turns have */
export const jestOfOthers = (turn) => {
  if (turn === undefined) return [];
  const seconds = JSON.parse(fs.readFileSync(path.join(root, 'scripts/jest/durations.json'), 'utf8'));
  return ofOthers(
    Object.keys(seconds).filter((name) => name.startsWith('e2e/') && seconds[name] >= DEAR),
    turn,
    TURNS,
  );
};

/** @returns {string[]} browser tests that other turns have: half of them, since each is dear */
export const browserOfOthers = (turn) =>
  turn === undefined
    ? []
    : ofOthers(
        fs.readdirSync(path.join(root, 'e2e/browser')).filter((name) => name.endsWith('.e2e.ts')),
        turn,
        2,
      );
