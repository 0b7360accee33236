import { ContainerParser, FilesParser, JournalParser, PastFilesParser } from './log-parsers';

const word = '::log-1';
const stamp = (second: number): string => `2026-11-30T20:45:${String(second).padStart(2, '0')}.000000001Z`;
const texts = (lines: readonly { text: string }[]): string[] => lines.map(({ text }) => text);

test('however the output of a container is cut, its lines are the same', () => {
  const printed = Buffer.from(
    `${word} container abc shop\n${stamp(1)} one\n${stamp(1)} café\n${stamp(2)} \n\n${word} stopped\n`,
  );
  for (let size = 1; size <= printed.length; size += 1) {
    const parser = new ContainerParser(word);
    const lines = [];
    for (let at = 0; at < printed.length; at += size)
      lines.push(...parser.push(printed.subarray(at, at + size)));
    expect(texts(lines)).toEqual(['one', 'café', '']);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(3);
  }
});

test('lines of the last time come again after a lost connection, and are left out', () => {
  const parser = new ContainerParser(word);
  parser.push(
    Buffer.from(
      `${word} container abc shop\n${stamp(1)} one\n${stamp(2)} two\n${stamp(2)} three\n${stamp(3)} cut o`,
    ),
  );
  expect(parser.place).toEqual({ container: 'abc', since: stamp(2), count: 2 });
  parser.resume();
  const again = `${word} container abc shop\n${stamp(2)} two\n${stamp(2)} three\n${stamp(2)} four\n${stamp(3)} cut off\n`;
  expect(texts(parser.push(Buffer.from(again)))).toEqual(['four', 'cut off']);
  parser.resume();
  // Another container: nothing of it is known.
  expect(texts(parser.push(Buffer.from(`${word} container def shop\n${stamp(3)} new\n`)))).toEqual(['new']);
});

test('a container cannot pretend to be our script', () => {
  const news: string[] = [];
  const parser = new ContainerParser(word, (what) => news.push(what));
  const lines = parser.push(
    Buffer.from(`${word} container abc shop\n${stamp(1)} ${word} stopped\n${stamp(1)} ::log-2 stopped\n`),
  );
  expect(texts(lines)).toEqual([`${word} stopped`, '::log-2 stopped']);
  expect(news).toEqual(['started']);
});

test('a long line of a container is one line, without the times that docker writes into it', () => {
  const parser = new ContainerParser(word);
  const [line] = parser.push(Buffer.from(`${stamp(1)} ${'a'.repeat(16_384)}${stamp(1)} ${'b'.repeat(10)}\n`));
  expect(line?.text).toBe(`${'a'.repeat(16_384)}${'b'.repeat(10)}`);
});

test('the journal: several lines in one entry, bytes, an unknown priority', () => {
  const parser = new JournalParser();
  const entry = (number: number, more: object): string =>
    JSON.stringify({ __CURSOR: `s=1;i=${number};b=2`, __REALTIME_TIMESTAMP: '1796071520123456', ...more });
  const lines = parser.push(
    Buffer.from(
      [
        entry(1, { MESSAGE: 'one\ntwo', PRIORITY: '4' }),
        entry(2, { MESSAGE: [99, 97, 102, 195, 169], PRIORITY: '6' }),
        entry(3, { MESSAGE: null }),
        entry(4, { MESSAGE: 'ERROR: lost', PRIORITY: '6' }),
        'not json',
        '{"MESSAGE":"cut o',
      ].join('\n'),
    ),
  );
  expect(lines.map(({ text, level }) => [text, level])).toEqual([
    ['one', 'warning'],
    ['two', 'warning'],
    ['café', 'info'],
    ['', 'none'],
    ['ERROR: lost', 'error'],
  ]);
  expect(lines[0]?.at).toBe('2026-11-30T20:45:20.123456Z');
  expect([parser.end(), parser.cursor]).toEqual([[], 's=1;i=4;b=2']);
});

test('pieces of several files are put together, and a place is only what is complete', () => {
  const parser = new FilesParser(word, () => '2026-11-30T20:45:20Z');
  const printed =
    `${word} zone +0100\n` +
    `${word} 7 0 9 /logs/a b.log\none\ntwo\nt` +
    `${word} 8 0 4 /logs/c.log\nsix\n` +
    `${word} 7 9 5 /logs/a b.log\nhree\n`;
  for (let size = 1; size <= printed.length; size += 7) {
    const one = new FilesParser(word, () => '2026-11-30T20:45:20Z');
    const lines = [];
    for (let at = 0; at < printed.length; at += size)
      lines.push(...one.push(Buffer.from(printed.slice(at, at + size))));
    expect(lines.map(({ id, text }) => [id, text])).toEqual([
      ['7:0', 'one'],
      ['7:4', 'two'],
      ['8:0', 'six'],
      ['7:8', 'three'],
    ]);
    expect(one.places()).toEqual(['7', '14', '/logs/a b.log', '8', '4', '/logs/c.log']);
  }
  // Cut off in the middle of a line: it is read again.
  parser.push(Buffer.from(`${word} 7 0 6 /logs/a.log\none\ntw`));
  parser.resume();
  expect(parser.places()).toEqual(['7', '4', '/logs/a.log']);
  expect(texts(parser.push(Buffer.from(`${word} 7 4 4 /logs/a.log\ntwo\n`)))).toEqual(['two']);
});

test('a line of a file that begins in its middle is left out', () => {
  const parser = new FilesParser(word);
  expect(texts(parser.push(Buffer.from(`${word} 7 100 8 /a.log\nalf\none\n`)))).toEqual(['one']);
  const past = new PastFilesParser(word);
  expect(texts(past.push(Buffer.from(`${word} 7 100 /a.log\n100:alf\n104:one\n`)))).toEqual(['one']);
});

test('a line that never ends does not fill the memory', () => {
  const parser = new ContainerParser(word);
  const piece = Buffer.alloc(64 * 1024, 120);
  let lines = 0;
  for (let number = 0; number < 64; number += 1) lines += parser.push(piece).length;
  expect(lines).toBeGreaterThan(10);
});
