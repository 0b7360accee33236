/** covers: SHELL-09 */
import { durationInWords } from './RelativeTime';

test.each([
  [420, '420 ms'],
  [999.7, '1.0 s'],
  [9_940, '9.9 s'],
  [9_960, '10 s'],
  [59_400, '59 s'],
  [59_600, '1 min 0 s'],
  [119_600, '2 min 0 s'],
  [3_599_600, '1 h 0 min'],
])('%d ms are written as %s', (ms, words) => {
  expect(durationInWords(ms)).toBe(words);
});
