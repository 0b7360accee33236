import { readReport, ScriptMessages } from './script-messages';

const mark = '\n::quarterdeck word ';
const hears = (...texts: string[]): ScriptMessages => {
  const messages = new ScriptMessages('word', () => undefined);
  for (const text of texts) messages.hear(Buffer.from(text));
  return messages;
};

it("extracts the server's messages from other text, however it is cut", () => {
  const all = `a warning${mark}at\nTerminated\n${mark}end exited 3 1234\n${mark}report\nos Debian\n${mark}over\n`;
  for (let cut = 0; cut < all.length; cut += 1)
    expect(hears(all.slice(0, cut), all.slice(cut)).said()).toEqual({
      end: { is: 'exited', exitCode: 3, size: 1234 },
      report: { os: 'Debian' },
    });
});

it('returns nothing before the messages are complete', () => {
  const all = `${mark}end exited 3 1234\n${mark}report\nos Debian\n${mark}over\n`;
  for (let cut = 0; cut < all.length; cut += 1) expect(hears(all.slice(0, cut)).said()).toBeUndefined();
});

it('reports once that the work is followed, and ignores the marker of another script', () => {
  let greetings = 0;
  const messages = new ScriptMessages('word', () => void (greetings += 1));
  messages.hear(Buffer.from('\n::quarterdeck other at\n'));
  expect(greetings).toBe(0);
  messages.hear(Buffer.from(`${mark}at\n`));
  messages.hear(Buffer.from(`${mark}at\n`));
  expect(greetings).toBe(1);
});

it('is not misled by a report that imitates the server', () => {
  const fake = '::quarterdeck other end exited 0 0';
  const { end, report } =
    hears(`${mark}end exited 1 5\n${mark}report\nx 1\n${fake}\ny 2\n${mark}over\n`).said() ?? {};
  expect(end).toEqual({ is: 'exited', exitCode: 1, size: 5 });
  expect(report).toEqual({ x: '1', y: '2' });
});

it('removes what the log cannot store', () => {
  const said = hears(
    `${mark}end never 0\n${mark}why no\0room\n${mark}report\nos De\0bian\n${mark}over\n`,
  ).said();
  expect(said).toEqual({ end: { is: 'never', size: 0, why: 'no room' }, report: { os: 'De bian' } });
});

it.each([
  ['vanished 7', { is: 'vanished', size: 7 }],
  ['rebooted 7', { is: 'rebooted', size: 7 }],
  ['never 0', { is: 'never', size: 0 }],
  ['no-place 0', { is: 'never', size: 0, why: 'no room' }],
  ['removed 0', { is: 'removed', size: 0 }],
  ['nonsense', undefined],
])('reads the verdict "%s"', (verdict, end) => {
  const why = verdict.startsWith('no-place') ? `${mark}why no room\n` : '';
  expect(hears(`${mark}end ${verdict}\n${why}${mark}over\n`).said()?.end).toEqual(end);
});

it('keeps the last value of a name, and collects changes', () => {
  const text = 'os Debian\nchanged one\nos Debian 12\nchanged two\nempty \n';
  expect(readReport(text)).toEqual({ os: 'Debian 12', changed: 'one\ntwo', empty: '' });
});

it('ignores lines that are not reports, and an incomplete last line', () => {
  expect(readReport('no-name x\n1st x\nalone\n\n spaced x\ngood 1\nhal')).toEqual({ good: '1' });
});

it('keeps 64 names, and treats names such as __proto__ like any other', () => {
  const many = Array.from({ length: 100 }, (_, index) => `n${index} ${index}\n`).join('');
  expect(Object.keys(readReport(many))).toHaveLength(64);
  expect(Object.entries(readReport('constructor 1\ntoString 2\n'))).toEqual([
    ['constructor', '1'],
    ['toString', '2'],
  ]);
});
