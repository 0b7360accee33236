/** The shortest line diff between two texts. Pure. */
import { diffArrays } from 'diff';

export interface DiffLine {
  is: 'same' | 'removed' | 'added';
  text: string;
  /** Line numbers in the old and the new text, counted from 1. */
  before?: number;
  after?: number;
}

/** With more changed lines than this, everything between the first and last change counts as replaced. */
const MAX_CHANGES = 1000;

type Edit = DiffLine['is'];

const equalFrom = (a: readonly string[], b: readonly string[]): number => {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  return same;
};

/** Number of equal lines at the end, ignoring the first `from` lines. */
const equalTo = (a: readonly string[], b: readonly string[], from: number): number => {
  let same = 0;
  const most = Math.min(a.length, b.length) - from;
  while (same < most && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1;
  return same;
};

export const diffLines = (a: readonly string[], b: readonly string[]): DiffLine[] => {
  const head = equalFrom(a, b);
  const tail = equalTo(a, b, head);
  const [middleA, middleB] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const found = diffArrays(middleA, middleB, { maxEditLength: MAX_CHANGES }) ?? [
    { removed: true, added: false, value: middleA },
    { removed: false, added: true, value: middleB },
  ];
  const edits = found.flatMap(({ removed, added, value }) =>
    value.map((): Edit => (removed ? 'removed' : added ? 'added' : 'same')),
  );
  const all: Edit[] = [
    ...Array.from({ length: head }, () => 'same' as const),
    ...edits,
    ...Array.from({ length: tail }, () => 'same' as const),
  ];
  let [before, after] = [0, 0];
  return all.map((is) => {
    if (is !== 'added') before += 1;
    if (is !== 'removed') after += 1;
    const text = (is === 'added' ? b[after - 1] : a[before - 1]) ?? '';
    return { is, text, ...(is !== 'added' && { before }), ...(is !== 'removed' && { after }) };
  });
};

/** Lines of a text; a final line break does not start another line. */
export const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

export type Stretch = { is: 'lines'; lines: DiffLine[] } | { is: 'gap'; lines: DiffLine[] };

/** Folds long unchanged stretches into gaps, keeping `context` lines next to each change. */
export const foldUnchanged = (lines: readonly DiffLine[], context = 3): Stretch[] => {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ is }, index) => {
    if (is !== 'same') near.fill(1, Math.max(0, index - context), index + context + 1);
  });
  const stretches: Stretch[] = [];
  lines.forEach((line, index) => {
    const is = near[index] === 1 ? 'lines' : 'gap';
    const last = stretches.at(-1);
    if (last?.is === is) last.lines.push(line);
    else stretches.push({ is, lines: [line] });
  });
  // A gap of one or two lines would save no space.
  return stretches.map((one) => (one.lines.length < 3 ? { ...one, is: 'lines' } : one));
};

/** The line numbers at which a stretch begins, which identify it in a diff. */
export const placeOf = ({ lines: [first] }: Stretch): string => `${first?.before}/${first?.after}`;

/** The first `most` rows. A closed gap is one row. Gaps whose place is in `open` are expanded to lines. */
export const shownOf = (
  stretches: readonly Stretch[],
  open: ReadonlySet<string>,
  most: number,
): Stretch[] => {
  let left = most;
  return stretches.flatMap((one): Stretch[] => {
    if (left <= 0) return [];
    const isClosed = one.is === 'gap' && !open.has(placeOf(one));
    const lines = isClosed ? one.lines : one.lines.slice(0, left);
    left -= isClosed ? 1 : lines.length;
    return [{ is: isClosed ? 'gap' : 'lines', lines }];
  });
};

/** One row of the side-by-side view. */
export interface LinePair {
  before?: DiffLine;
  after?: DiffLine;
}

/** Pairs removed lines with the lines added in their place; the surplus on either side gets rows of its own. */
export const pairs = (lines: readonly DiffLine[]): LinePair[] => {
  const all: LinePair[] = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [before, after] = [removed[at], added[at]];
      all.push({ ...(before && { before }), ...(after && { after }) });
    }
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.is === 'removed') removed.push(line);
    else if (line.is === 'added') added.push(line);
    else {
      flush();
      all.push({ before: line, after: line });
    }
  }
  flush();
  return all;
};
