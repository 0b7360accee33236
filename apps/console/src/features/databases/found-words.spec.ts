// covers: DB-01
import { factsOf, failureWords, sizeWords } from './found-words';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [8_421_376, '8.4 MB'],
  [123_456_789, '123 MB'],
  [5_000_000_000_000_000, '5000 TB'],
])('%i is %s', (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});

test('an answer and the report of a run, whose values are strings, give the same facts', () => {
  const found = {
    engine: 'MariaDB',
    version: '10.11.6',
    bytes: 1500,
    tables: 3,
    applied: 0,
    encrypted: true,
    tookMs: 12,
  };
  const report = Object.fromEntries(Object.entries(found).map(([key, value]) => [key, String(value)]));
  expect(factsOf(found)).toEqual(factsOf(report));
  expect(factsOf(found)).toContainEqual(['Version applied', 'none']);
  expect(factsOf(found)).toContainEqual(['Encrypted', 'yes']);
});

test('a failure starts with the label of its field', () => {
  expect(failureWords({ msg: 'no', data: { 'data.port': 'too great', password: 'wrong' } })).toEqual([
    'Port: too great',
    'Password: wrong',
  ]);
  expect(failureWords({ msg: 'this server is away' })).toEqual(['this server is away']);
});
