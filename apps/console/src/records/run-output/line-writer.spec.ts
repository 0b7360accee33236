import { OutputLog } from './output-log';
import { segmentsOf } from './segments';

const at = '2026-11-20T10:00:00.000Z';

const logOf = (...chunks: (string | { err: string })[]): OutputLog => {
  const log = new OutputLog();
  log.append(
    chunks.map((chunk, index) =>
      typeof chunk === 'string'
        ? { seq: index + 1, at, stream: 'out', text: chunk }
        : { seq: index + 1, at, stream: 'err', text: chunk.err },
    ),
  );
  return log;
};
const textOf = (...chunks: (string | { err: string })[]): string[] =>
  logOf(...chunks).lines.map((line) => line.text);

describe('splitting output into lines', () => {
  it('ends lines at line feeds, with or without a carriage return before', () => {
    expect(textOf('one\ntwo\r\nthree')).toEqual(['one', 'two', 'three']);
  });

  it('keeps empty lines and does not invent one at the end', () => {
    expect(textOf('a\n\nb\n')).toEqual(['a', '', 'b']);
  });

  it('joins a line that arrived in several chunks', () => {
    expect(textOf('Fil', 'esys', 'tem\n/dev')).toEqual(['Filesystem', '/dev']);
  });

  it('treats CR and LF as one line end even when they arrive in two chunks', () => {
    expect(textOf('one\r', '\ntwo')).toEqual(['one', 'two']);
  });

  it('shows a progress bar as one line', () => {
    expect(textOf('10 %\r20 %\r100 %', '\rdone!\n')).toEqual(['done!']);
    expect(textOf('downloading\rok')).toEqual(['okwnloading']);
    expect(textOf('downloading\r\x1b[Kok')).toEqual(['ok']);
    expect(textOf('a long one\x1b[2K\rnew')).toEqual(['new']);
    expect(textOf('abc\b\bX')).toEqual(['aXc']);
  });

  it('does not mix an unfinished line of one stream with the other stream', () => {
    const log = logOf('working ...', { err: 'careful\n' }, ' done\n');
    expect(log.lines.map(({ text, stream }) => [stream, text])).toEqual([
      ['out', 'working ... done'],
      ['err', 'careful'],
    ]);
  });

  it('drops titles, cursor movements and control characters, and keeps tabs and non-ASCII text', () => {
    expect(textOf('\x1b]0;title\x07a\tb\x00\x1b[?25l ü 漢字 🎉\x1b[2J')).toEqual(['a\tb ü 漢字 🎉']);
  });

  it('limits the blanks that a cursor movement can add', () => {
    expect(textOf('a\x1b[1000000Cb')[0]?.length).toBeLessThan(1100);
  });

  it('drops chunks that it already has', () => {
    const log = logOf('a\n', 'b\n');
    log.append([
      { seq: 2, at, stream: 'out', text: 'b\n' },
      { seq: 3, at, stream: 'out', text: 'c\n' },
    ]);
    expect(log.text()).toBe('a\nb\nc\n');
    expect(log.text(2, 3)).toBe('b\nc\n');
    expect(log.lastSeq).toBe(3);
  });

  it('takes 100,000 lines, each once', () => {
    const log = new OutputLog();
    const text = Array.from({ length: 100 }, (_, i) => `\x1b[32mok\x1b[0m line ${i} of some output\n`).join(
      '',
    );
    for (let seq = 1; seq <= 1000; seq += 1) log.append([{ seq, at, stream: 'out', text }]);
    expect(log.lines).toHaveLength(100_000);
    expect(log.lastSeq).toBe(1000);
  });
});

describe('colours of output', () => {
  const styled = (...chunks: string[]) =>
    logOf(...chunks).lines.map((line) => segmentsOf(line, []).map(({ text, style }) => [text, style]));

  it('supports the sixteen colours, bold, and their resets', () => {
    expect(styled('a\x1b[1;31mred\x1b[0m b \x1b[92mok\x1b[39m.')).toEqual([
      [
        ['a', {}],
        ['red', { bold: true, fg: 1 }],
        [' b ', {}],
        ['ok', { fg: 10 }],
        ['.', {}],
      ],
    ]);
  });

  it('supports 256 colours and true colours', () => {
    expect(styled('\x1b[38;5;196mx\x1b[48;2;1;2;3my')).toEqual([
      [
        ['x', { fg: 'rgb(255 0 0)' }],
        ['y', { fg: 'rgb(255 0 0)', bg: 'rgb(1 2 3)' }],
      ],
    ]);
  });

  it('knows sub-parameters, and passes over the colour of an underline', () => {
    expect(styled('\x1b[4:3;58:2::9:9:9ma\x1b[4:0;38:2::1:2:3mb\x1b[58;5;1;48:5:1mc')).toEqual([
      [
        ['a', { underline: true }],
        ['b', { fg: 'rgb(1 2 3)' }],
        ['c', { fg: 'rgb(1 2 3)', bg: 1 }],
      ],
    ]);
  });

  it('carries a colour over line ends and over the cut between two chunks', () => {
    expect(styled('\x1b[3', '4mblue\nstill blue\x1b', '[m plain')).toEqual([
      [['blue', { fg: 4 }]],
      [
        ['still blue', { fg: 4 }],
        [' plain', {}],
      ],
    ]);
  });

  it('overwrites colours together with the text', () => {
    expect(styled('\x1b[31mfailing\x1b[0m\rfine')).toEqual([
      [
        ['fine', {}],
        ['ing', { fg: 1 }],
      ],
    ]);
  });

  it('ignores invalid sequences', () => {
    expect(styled('\x1b[38;5;999mx\x1b[38;9my\x1b[77mz')).toEqual([[['xyz', {}]]]);
  });

  it('marks search hits across styles', () => {
    const [line] = logOf('\x1b[31mab\x1b[0mcd').lines;
    expect(segmentsOf(line!, [{ from: 1, to: 3 }])).toEqual([
      { text: 'a', style: { fg: 1 }, hit: false },
      { text: 'b', style: { fg: 1 }, hit: true },
      { text: 'c', style: {}, hit: true },
      { text: 'd', style: {}, hit: false },
    ]);
  });
});
