import type { LogLine } from '@quarterdeck/contract';
import { LogRing } from './log-ring';

const line = (number: number, text = `line ${number}`): LogLine => ({
  id: String(number),
  at: '2026-11-30T20:45:20Z',
  level: 'none',
  text,
});
const numbers = (from: number, to: number): LogLine[] =>
  Array.from({ length: to - from + 1 }, (_, at) => line(from + at));
const ids = (lines: readonly LogLine[]): number[] => lines.map(({ id }) => Number(id));

test('whoever is behind gets what is there, and the number of lines that are not', () => {
  const ring = new LogRing({ lines: 5, characters: 1000 });
  ring.add(numbers(1, 8));
  expect(ring.size).toBe(5);
  const part = ring.after(1, { lines: 3, characters: 1000 });
  expect([ids(part.lines), part.at, part.missed]).toEqual([[4, 5, 6], 6, 2]);
  const rest = ring.after(part.at, { lines: 3, characters: 1000 });
  expect([ids(rest.lines), rest.at, rest.missed]).toEqual([[7, 8], 8, 0]);
  expect(ring.after(8, { lines: 3, characters: 1000 })).toEqual({ lines: [], at: 8, missed: 0 });
});

test('long lines count by their length, and one that is longer than all room is kept', () => {
  const ring = new LogRing({ lines: 100, characters: 100 });
  ring.add([line(1, 'x'.repeat(60)), line(2, 'x'.repeat(60))]);
  expect(ids(ring.after(0, { lines: 10, characters: 1000 }).lines)).toEqual([2]);
  ring.add([line(3, 'x'.repeat(500))]);
  expect(ids(ring.after(0, { lines: 10, characters: 10 }).lines)).toEqual([3]);
});

test('numbers go on over ten thousand dropped lines', () => {
  const ring = new LogRing({ lines: 1500, characters: 1_000_000 });
  for (let from = 1; from < 10_000; from += 100) ring.add(numbers(from, from + 99));
  const part = ring.after(9000, { lines: 2000, characters: 1_000_000 });
  expect(ids(part.lines)).toEqual(ids(numbers(9001, 10_000)));
  expect(part.missed).toBe(0);
});
