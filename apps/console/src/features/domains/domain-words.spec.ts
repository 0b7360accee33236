// covers: DOM-01, DOM-09
import { answerInWords, daysInWords, daysLeftInWords } from './domain-words';

test('describes days', () => {
  expect([41, 1, 0, -1, -3].map(daysInWords)).toEqual([
    'in 41 days',
    'in 1 day',
    'within a day',
    '1 day ago',
    '3 days ago',
  ]);
  expect([4, 1, 0, -3].map(daysLeftInWords)).toEqual([
    '4 days left',
    '1 day left',
    'expires within a day',
    'expired 3 days ago',
  ]);
});

test('shows the addresses of a DNS answer, or why there are none', () => {
  expect(answerInWords({ outcome: 'found', addresses: [{ address: '192.0.2.1', family: 4 }] })).toBe(
    '192.0.2.1',
  );
  expect(answerInWords({ outcome: 'none', addresses: [] })).toBe('no DNS address');
  expect(answerInWords({ outcome: 'failed', addresses: [], reason: 'timed out' })).toBe('timed out');
});
