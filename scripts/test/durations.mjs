/**
 * How long each test file takes. `scripts/jest/longest-first.cjs` starts the longest first, so that none is left to run
 * alone at the end. `npm test -- --keep-durations` updates the list.
 */
import fs from 'node:fs';
import path from 'node:path';

const file = path.resolve(import.meta.dirname, '../jest/durations.json');
/** Shorter files run in any order. */
const SHORT_S = 5;
/** A file missing in the list that takes longer than this may make the whole run longer. */
const LONG_S = 30;

export function noteDurations(results, keep) {
  const known = JSON.parse(fs.readFileSync(file, 'utf8'));
  const measured = Object.fromEntries(
    results.map(({ name, startTime, endTime }) => [
      path.relative(process.cwd(), name),
      Math.round((endTime - startTime) / 1000),
    ]),
  );
  if (keep) {
    const list = Object.entries({ ...known, ...measured })
      .filter(([name, seconds]) => seconds >= SHORT_S && fs.existsSync(name))
      .sort(([a, secondsOfA], [b, secondsOfB]) => secondsOfB - secondsOfA || a.localeCompare(b));
    fs.writeFileSync(file, `${JSON.stringify(Object.fromEntries(list), undefined, 2)}\n`);
    return;
  }
  for (const [name, seconds] of Object.entries(measured))
    if (seconds >= LONG_S && !(name in known))
      console.log(`${name} took ${seconds} s and is not in durations.json: see --keep-durations`);
}
