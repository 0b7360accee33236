// covers: ENV-01
import { variableLines } from './variables-lines';

/** The lines without a comment are for all readers. */
test.each([
  ['', 'A=\n'],
  ['postgres://u:p%40w@h:5432/d', 'A=postgres://u:p%40w@h:5432/d\n'],
  ['{"a":"b"}', `A='{"a":"b"}'\n`],
  ['pa$$word$HOME', "A='pa$$word$HOME'\n"],
  ["it's", `A="it's"\n`],
  ['a\nb', "A='a\nb'\n"],
])('%j is written as %j', (value, lines) => {
  expect(variableLines([{ key: 'A', value }])).toBe(lines);
});

const told = (readers: string) => `# A: not for ${readers}, which would not get this value.\n`;

test.each([
  [String.raw`C:\dir`, '', String.raw`A='C:\dir'`],
  ['C:\\dir\\', 'bash', 'export A=C:\\dir\\ #'],
  ['C:\\Program Files\\', 'bash', 'export A=C:\\Program Files\\ #'],
  [String.raw`{"text": "it's"}`, 'bash', String.raw`export A={"text": "it's"}`],
  [String.raw`a\\b c`, 'python-dotenv', String.raw`A='a\\b c'`],
  [`it's "x"`, 'dotenv, Node', String.raw`A="it's \"x\""`],
  [`it's "x"\ny`, 'dotenv, Node, bash', String.raw`export A="it's \"x\"\ny"`],
])('%j is written in a form that no reader takes for several lines', (value, readers, line) => {
  expect(variableLines([{ key: 'A', value }])).toBe(`${readers === '' ? '' : told(readers)}${line}\n`);
});

test.each([
  ['A', 'ü\\', 'some readers would misread the lines after it', String.raw`"\u00fc\\"`],
  ['A', 'x; reboot\\', 'some readers would misread the lines after it', String.raw`"x; reboot\\"`],
  ['A', '\u2028B=1\n\\', 'some readers would misread the lines after it', String.raw`"\u2028B=1\n\\"`],
  ['OPTIND', 'a[$(reboot)]', 'bash would compute it instead of setting it', '"a[$(reboot)]"'],
])('%s=%j is left out, because no line with it is harmless', (key, value, reason, json) => {
  expect(variableLines([{ key, value }])).toBe(`# ${key} is left out: ${reason}. As JSON: ${json}\n`);
});

test.each([
  ['UID', 'bash'],
  ['spring.datasource.url', 'bash'],
  ['__proto__', 'dotenv'],
])('says who cannot set %s', (key, reader) => {
  expect(variableLines([{ key, value: '1' }])).toContain(`# ${key}: not for ${reader}, `);
});
