import { timeInWords } from './RelativeTime';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const ago = (seconds: number) => timeInWords(new Date(now - seconds * 1000).toISOString(), now);

test.each([
  [10, 'just now'],
  [50, '1 minute ago'],
  [30.4 * 60, '30 minutes ago'],
  [59.6 * 60, '1 hour ago'],
  [23.6 * 3600, 'yesterday'],
  [29.7 * 86_400, 'last month'],
  [-59.6 * 60, 'in 1 hour'],
])('%s seconds ago reads "%s"', (seconds, words) => expect(ago(seconds)).toBe(words));
