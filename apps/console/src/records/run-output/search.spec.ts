import type { OutputLine } from './line-writer';
import { lineHash, parseLineHash } from './line-link';
import { OutputLog } from './output-log';
import { findHits, HitScan, MAX_HITS, searchPattern } from './search';

const lines = ['nginx: ok', 'Error: a.b', 'error: aXb'].map((text) => ({
  text,
  stream: 'out' as const,
  at: '',
}));
const viewOf = (all: readonly OutputLine[]) => ({
  count: all.length,
  line: (index: number) => all[index],
});
const search = (text: string, regex = false, matchCase = false) => {
  const pattern = searchPattern({ text, regex, matchCase });
  return pattern instanceof RegExp ? findHits(pattern, viewOf(lines)).map((hit) => hit.line) : pattern;
};

describe('search within output', () => {
  it('finds text in any case, or matches case', () => {
    expect(search('error')).toEqual([1, 2]);
    expect(search('Error', false, true)).toEqual([1]);
  });

  it('takes text literally unless it is a regular expression', () => {
    expect(search('a.b')).toEqual([1]);
    expect(search('a.b', true)).toEqual([1, 2]);
  });

  it('reports an invalid expression, and tolerates one that matches the empty string', () => {
    expect(search('(', true)).toEqual({ refused: 'Not Regular expression' });
    expect(search('z*', true)).toEqual([]);
    expect(search('')).toBeUndefined();
  });

  it('keeps up with growing output, also when an unfinished line is rewritten', () => {
    const [log, scan] = [new OutputLog(), new HitScan()];
    const add = (seq: number, text: string) => log.append([{ seq, at: '', stream: 'out', text }]);
    const lines = () => scan.hits(log, pattern).map(({ line }) => line);
    const pattern = /ok/gu;
    add(1, 'ok\nnothing\n50 % ok');
    expect(lines()).toEqual([0, 2]);
    add(2, '\r\x1b[Kfailed\nok\n');
    expect(lines()).toEqual([0, 3]);
    expect(lines()).toEqual([0, 3]);
  });

  it('limits the number of hits', () => {
    const many = Array.from({ length: 20_000 }, () => lines[0]!);
    expect(findHits(/n/gu, viewOf(many))).toHaveLength(MAX_HITS);
  });
});

describe('line links', () => {
  it('name one line or a range, in either order', () => {
    expect(parseLineHash('#L12')).toEqual({ from: 12, to: 12 });
    expect(parseLineHash('#L20-L12')).toEqual({ from: 12, to: 20 });
    expect(lineHash({ from: 12, to: 12 })).toBe('#L12');
    expect(lineHash({ from: 12, to: 20 })).toBe('#L12-L20');
  });

  it('ignore other hashes', () => {
    expect(parseLineHash('#L0')).toBeUndefined();
    expect(parseLineHash('#other')).toBeUndefined();
    expect(parseLineHash('')).toBeUndefined();
  });
});
