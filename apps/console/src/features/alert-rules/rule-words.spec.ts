// covers: OPS-01
import { causesInWords, tellsInWords, triedInWords } from './rule-words';

test.each([
  [{ causes: [], leastSeverity: 'notice' }, 'Any alert'],
  [{ causes: [], leastSeverity: 'critical' }, 'Any alert that is critical'],
  [
    { causes: ['disk almost full', 'memory almost full'], leastSeverity: 'warning' },
    'An alert “disk almost full or memory almost full” that is at least a warning',
  ],
] as const)('%j is %s', (rule, words) => {
  expect(causesInWords(rule)).toBe(words);
});

test.each([
  [0, 0, 'at once'],
  [1, 0, 'after 1 minute'],
  [15, 4, 'after 15 minutes, and again every 4 hours'],
  [0, 1, 'at once, and again every hour'],
])('%d minutes, every %d hours: %s', (holdsMinutes, repeatHours, words) => {
  expect(tellsInWords({ holdsMinutes, repeatHours })).toBe(words);
});

test.each([
  [3, 5, 'In the past 30 days, this rule would have told 3 times.'],
  [1, 1, 'In the past 30 days, this rule would have told once.'],
  [0, 0, 'In the past 30 days, this rule would not have told anything: nothing that it covers has happened.'],
  [
    0,
    2,
    'In the past 30 days, this rule would not have told anything: 2 alerts that it covers did not last long enough.',
  ],
])('told %d times of %d crossings', (count, crossings, words) => {
  expect(triedInWords({ count, crossings })).toBe(words);
});
