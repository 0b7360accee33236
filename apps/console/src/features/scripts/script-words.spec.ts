// covers: SRV-15
import type { ScriptView } from '@quarterdeck/projections';
import { comparedVersions, fieldsOf, limitInWords, otherDifferences, withFields } from './script-words';

const version = (number: number, more: object = {}) => ({
  version: number,
  body: `echo ${number}\n`,
  changes: false,
  timeoutSeconds: 30,
  at: '2026-11-20T12:00:00.000Z',
  by: 'ada',
  ...more,
});
const script = {
  id: 's1',
  name: 'Greet',
  revision: 4,
  versions: [version(1), version(2), version(3, { changes: true, timeoutSeconds: 90 })],
} as unknown as ScriptView;

test('the form edits the newest version', () =>
  expect(fieldsOf(script)).toEqual({ name: 'Greet', body: 'echo 3\n', changes: true, timeoutSeconds: 90 }));

test('a conflict carries the current values as form fields, with their revision', () => {
  const error = withFields({ status: 409, msg: 'changed', current: script });
  expect(error.current).toEqual({ ...fieldsOf(script), revision: 4 });
  expect(withFields({ status: 400, msg: 'no' })).toEqual({ status: 400, msg: 'no' });
});

test('compares the two versions in the address, by default the newest with the one before it', () => {
  const compared = (from: string | null, to: string | null) => {
    const { from: a, to: b } = comparedVersions(script, from, to);
    return [a.version, b.version];
  };
  expect(compared(null, null)).toEqual([2, 3]);
  expect(compared('1', '3')).toEqual([1, 3]);
  expect(compared(null, '2')).toEqual([1, 2]);
  expect(compared(null, '1')).toEqual([1, 1]);
  expect(compared('9', 'x')).toEqual([2, 3]);
});

test('describes differences other than the text in words', () => {
  const { from, to } = comparedVersions(script, '1', '3');
  expect(otherDifferences(from, to)).toEqual([
    'It is now marked as making changes.',
    'The time limit went from 30 s to 90 s.',
  ]);
  expect(otherDifferences(from, from)).toEqual([]);
});

test.each([
  [1, '1 s'],
  [90, '90 s'],
  [120, '2 min'],
  [150, '2 min 30 s'],
  [7200, '2 h'],
  [9000, '2 h 30 min'],
  [86_400, '24 h'],
])('a limit of %i s reads %s', (seconds, words) => expect(limitInWords(seconds)).toBe(words));
