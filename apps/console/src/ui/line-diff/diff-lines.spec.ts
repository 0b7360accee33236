import fc from 'fast-check';
import { diffLines, foldUnchanged, linesOf, pairs, placeOf, shownOf, type DiffLine } from './diff-lines';

const written = (lines: readonly DiffLine[]): string[] =>
  lines.map(({ is, text }) => `${{ same: ' ', removed: '-', added: '+' }[is]}${text}`);
const one = (lines: readonly DiffLine[], without: DiffLine['is']): string[] =>
  lines.filter(({ is }) => is !== without).map(({ text }) => text);

describe('the diff of two texts', () => {
  test('lists the lines with their line numbers in both texts', () => {
    const lines = diffLines(['a', 'b', 'c', 'd'], ['a', 'B', 'c', 'd', 'e']);
    expect(written(lines)).toEqual([' a', '-b', '+B', ' c', ' d', '+e']);
    expect(lines.map(({ before, after }) => [before, after])).toEqual([
      [1, 1],
      [2, undefined],
      [undefined, 2],
      [3, 3],
      [4, 4],
      [undefined, 5],
    ]);
  });

  test('has no changes for equal texts, and only changes where no line is equal', () => {
    expect(written(diffLines(['a', 'b'], ['a', 'b']))).toEqual([' a', ' b']);
    expect(written(diffLines(['a'], ['b']))).toEqual(['-a', '+b']);
    expect(diffLines([], [])).toEqual([]);
    expect(written(diffLines([], ['a']))).toEqual(['+a']);
  });

  test('turns any text into any other with the fewest changes', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 14 });
    /** Textbook length of the longest common subsequence. */
    const common = (a: string[], b: string[]): number => {
      let row = b.map(() => 0);
      for (const line of a) {
        const before = row;
        row = [];
        b.forEach((other, j) =>
          row.push(line === other ? (before[j - 1] ?? 0) + 1 : Math.max(before[j] ?? 0, row[j - 1] ?? 0)),
        );
      }
      return row.at(-1) ?? 0;
    };
    fc.assert(
      fc.property(text, text, (a, b) => {
        const lines = diffLines(a, b);
        expect(one(lines, 'added')).toEqual(a);
        expect(one(lines, 'removed')).toEqual(b);
        expect(lines.filter(({ is }) => is === 'same')).toHaveLength(common(a, b));
      }),
      { seed: 20261120, numRuns: 500 },
    );
  });

  test('replaces the middle as a whole if long texts differ too much, and stays correct', () => {
    const a = Array.from({ length: 20_000 }, (_, i) => `a${i}`);
    const b = ['first', ...Array.from({ length: 20_000 }, (_, i) => `b${i}`)];
    const lines = diffLines(['same', ...a, 'end'], ['same', ...b, 'end']);
    expect(lines).toHaveLength(40_003);
    expect(lines[0]?.is).toBe('same');
    expect(lines.at(-1)).toMatchObject({ is: 'same', text: 'end', before: 20_002, after: 20_003 });
  });

  test('folds lines that are far from any change', () => {
    const a = Array.from({ length: 20 }, (_, i) => `${i}`);
    const lines = diffLines(a, [...a.slice(0, 10), 'new', ...a.slice(10)]);
    expect(foldUnchanged(lines).map(({ is, lines }) => [is, lines.length])).toEqual([
      ['gap', 7],
      ['lines', 7],
      ['gap', 7],
    ]);
    expect(foldUnchanged(diffLines(['a'], ['a']))).toEqual([
      { is: 'lines', lines: [expect.objectContaining({ is: 'same' })] },
    ]);
  });

  test('shows a change behind more equal lines than can be shown, until they are opened', () => {
    const a = Array.from({ length: 50 }, (_, i) => `${i}`);
    const stretches = foldUnchanged(diffLines(a, [...a, 'new']));
    const sizes = (open: ReadonlySet<string>) =>
      shownOf(stretches, open, 20).map(({ is, lines }) => [is, lines.length]);
    expect(sizes(new Set())).toEqual([
      ['gap', 47],
      ['lines', 4],
    ]);
    expect(sizes(new Set(stretches.slice(0, 1).map(placeOf)))).toEqual([['lines', 20]]);
  });

  test('does not count a final line break as another line', () => {
    expect(linesOf('a\nb\n')).toEqual(['a', 'b']);
    expect(linesOf('a\nb')).toEqual(['a', 'b']);
    expect(linesOf('')).toEqual([]);
  });

  test('pairs removed lines with the lines that replace them', () => {
    const rows = pairs(diffLines(['a', 'b', 'c', 'd'], ['a', 'B', 'd', 'e']));
    expect(rows.map(({ before, after }) => [before?.text, after?.text])).toEqual([
      ['a', 'a'],
      ['b', 'B'],
      ['c', undefined],
      ['d', 'd'],
      [undefined, 'e'],
    ]);
  });
});
