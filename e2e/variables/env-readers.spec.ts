// covers: ENV-01
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import {
  envReaders,
  readVariables,
  variableLine,
  variableLines,
  type EnvReader,
} from '@quarterdeck/events/inputs';
import { realReaders, type Values } from './env-readers';

const folder = mkdtempSync(path.join(os.tmpdir(), 'env-readers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Values of the issue trackers of these readers, and of what people keep in variables. */
const known = [
  '', ' ', ' a ', 'a b', '#ff0000', 'a #b', 'a#b', '{"a":"b"}', '["x", "y"]', "it's", 'say "hi"', `"it's"`,
  'pa$$word$HOME', '${HOME}', '$', '$1', '\\', 'C:\\new\\table', 'a\\\\b', 'ends\\', "'quoted'", '"quoted"', '`date`',
  '$(date)', 'one\ntwo', "it's\ntwo lines", '"a"\n"b"', '\n', 'a\r\nb', 'a\rb', '\t', 'a\tb', 'a=b=c', '!history',
  '~', '~root', '*', 'a;b', 'a&b', '(a)', '<a>', '|', 'ünïcödé', '日本', '🙂', '\u00a0', '\u2028', '%s', '-n', 'export X=1',
  'postgres://u:p%40w@h:5432/d?sslmode=require&x=1', 'Server=h;Password="a;b"', String.raw`\n`, String.raw`\"`,
  '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n', 'a'.repeat(500), "a'b\\", '`it\'s`', 'x\\ y',
  'C:\\dir\\', 'C:\\Program Files\\', 'two\\\\', "it's\\", '"\\', "'\\\\", ' \\', 'ü\\', 'a\nb\\', 'V1=2\\', 'a\nV2="x"\'',
  '{"text": "it\'s 5 o\'clock"}', '{"re": "\\\\d+", "by": \'x\'}', "it's; touch /tmp/x", "x' $(id) `id`", "' V3=1 \\",
  '"\'\nV4=1\nV5=\'', "'\n\"\nV6=\"", '\\\n', '\\\nV7=1', "it's\\\nV8=1", '\u2028V9=1', '\u0085V10=1', '\rV11=1\'', '#', "#'\\",
  "a b=c's\\", "a *'\\", "it's {1..3}\\", '${V1:-a}', '${V1:?no}\'', "$'a'", '$"a"', '$((1))', '!!', '\u001b[0m', '\ufeff', "\u00a0'",
]; // prettier-ignore

const ODD = String.raw`"'\$#={}`;
const odd = fc.sample(
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...ODD, ...'\n\r `[]()nrtaB1~!*;&|<>:-?\t'), maxLength: 14 }),
    fc.string({ unit: fc.constantFrom(...ODD, ' ', '\n', 'a'), maxLength: 8 }),
    fc.string({
      unit: fc.constantFrom(...ODD, ' ', '\n', 'V1=', '#', ' #', '\\', "'\\", '"\\', 'a'),
      maxLength: 8,
    }),
    fc.string({ unit: fc.constantFrom(' ', '\\', "'", '"', 'a', 'b', '.', '/'), maxLength: 10 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ maxLength: 12 }),
  ),
  { numRuns: 2000, seed: 29 },
);

const PER_FILE = 50;

/** In any order: each value is beside others in its file. */
const values = fc.sample(
  fc.shuffledSubarray([...known, ...odd.map((value) => value.replaceAll('\0', '0'))], {
    minLength: known.length + odd.length,
  }),
  { numRuns: 1, seed: 29 },
)[0] as string[];
const variables = values.map((value, at) => ({ key: `V${at}`, value }));

const grouped = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / PER_FILE) }, (_, at) =>
    all.slice(at * PER_FILE, (at + 1) * PER_FILE),
  );
const fileOf = (name: string, text: string): string => {
  const file = path.join(folder, `${name}.env`);
  writeFileSync(file, text);
  return file;
};
const groups = grouped(variables);
const written = groups.map((group, at) => fileOf(String(at), variableLines(group)));

test('our own import reads every value back, except those that are left out', () => {
  for (const group of groups)
    expect(readVariables(variableLines(group))).toMatchObject({
      variables: group.filter((one) => !variableLine(one).leftOut),
      unread: [],
    });
});

/** What the reader itself, or the program that prints, has in its environment. */
const OWN = new Set(['PWD', 'SHLVL', '_', 'LC_ALL']);

/** Each difference as name, value, and what was read. */
const differences = (group: typeof variables, read: Values, reader: EnvReader) => {
  const names = new Set(group.map(({ key }) => key));
  const others = [...read].filter(([key]) => !names.has(key) && !OWN.has(key));
  const wrong = group.filter(
    (one) => variableLine(one).misreadBy.includes(reader) !== (read.get(one.key) !== one.value),
  );
  return [
    ...others,
    ...wrong.map(({ key, value }) => [key, variableLine({ key, value }).line, read.get(key)]),
  ];
};

test.each([...envReaders])('%s reads whole files, and misreads only what they say', (reader: EnvReader) => {
  const read = realReaders[reader](written);
  expect(groups.flatMap((group, at) => differences(group, read[at] ?? new Map(), reader))).toEqual([]);
});

/** Names that some reader cannot set, or that change how bash goes on. */
const names = [
  'UID', 'EUID', 'PPID', '_', 'GROUPS', 'RANDOM', 'SRANDOM', 'SECONDS', 'OPTIND', 'HISTCMD', 'POSIXLY_CORRECT', 'LINENO',
  'BASHOPTS', 'SHELLOPTS', 'SHLVL', 'BASHPID', 'BASH_VERSINFO', 'BASH_ARGV', 'BASH_ARGV0', 'BASH_SOURCE', 'BASH_ALIASES',
  'FUNCNAME', 'DIRSTACK', 'PIPESTATUS', 'EPOCHSECONDS', 'COMP_WORDBREAKS', '__proto__', 'constructor', 'toString', 'a.b', 'a-b',
  'export', 'if', 'done', 'IFS', 'LC_TIME', 'LANG', 'PS4', 'BASH_ENV', 'BASH_COMPAT', 'BASH_XTRACEFD', 'FUNCNEST', 'TMOUT',
]; // prettier-ignore

test.each(
  envReaders.flatMap((reader) =>
    ['7', 'a b', 'a[$(touch x)]', "it's\\"].map((value) => [reader, value] as const),
  ),
)(
  '%s reads the variables around odd names with %j, and the names that it is said to read',
  (reader, value) => {
    const group = names.flatMap((key, at) => [
      { key, value },
      { key: `V${at}`, value: `é ${at}` },
    ]);
    const [read = new Map<string, string>()] = realReaders[reader]([fileOf('names', variableLines(group))]);
    const found = differences(group, read, reader);
    // bash sets three of the names after `export`, but not without.
    const asTold = new Set(reader === 'bash' ? ['SECONDS', 'BASH_ARGV0', 'COMP_WORDBREAKS'] : []);
    expect(found.filter(([key, , now]) => !(asTold.has(key ?? '') && now === value))).toEqual([]);
  },
);

test('most values have a line that all of them read, and few have none', () => {
  const plain = known.filter((value) => !/[\r\\]|\$\{|\$.*'|".*'|'.*"|`.*'|'.*`|^'.*'$/s.test(value));
  const lines = plain.map((value) => variableLine({ key: 'A', value }));
  expect(lines.filter(({ misreadBy }) => misreadBy.length > 0)).toEqual([]);
  const leftOut = variables.filter((one) => variableLine(one).leftOut);
  expect(leftOut.length).toBeLessThan(variables.length * 0.06);
  expect(leftOut.filter(({ value }) => !value.endsWith('\\'))).toEqual([]);
});

const PARTS = [
  'a', 'b1', ' ', '#', ' #', '$', '${A}', '$(a)', '\\', '\\n', '\\a', '\\\\', '"', "'", '`', ';', '~', '*', '{a,b}', '!', '[', '\t',
  '/', ':', '%', 'é', '\u00a0', '\u200b', '"a"', "'b'", '=', '\n', '\r', '\r\n', '\\"', "\\'", '?', '&', '(', '|', '<', '-', ',', '@',
]; // prettier-ignore

/** Lines that people might write. */
const typed = fc
  .sample(
    fc.tuple(
      fc.constantFrom(...'     ', ...Array<string>(20).fill(''), 'export ', '\u00a0'),
      fc.constantFrom(...'==========', '= ', ' = ', '\t=', ': '),
      fc.constantFrom('"', "'", '`', ''),
      fc.array(fc.constantFrom(...PARTS), { maxLength: 4 }),
      fc.constantFrom(...Array<string>(12).fill(''), ' ', ' # x', '#x', '\u00a0'),
    ),
    { numRuns: 6000, seed: 29 },
  )
  .map(([before, equals, quote, parts, after], at) =>
    [before, `V${at}`, equals, quote, ...parts, quote, after, '\n'].join(''),
  )
  // bash keeps the carriage returns of a file from Windows. Node 20 misreads the line after one of white space only.
  .filter((line) => !/\r\n|^[^\S\n]+(?:#|$)/m.test(line));

const withoutNote = typed.flatMap((line) => {
  const read = readVariables(line);
  if ('problem' in read || read.unread.length > 0) return [];
  return read.variables.some(({ note }) => note !== undefined) ? [] : [{ line, ours: read.variables }];
});

test.each([...envReaders])('%s reads a line without a note as our import does', (reader: EnvReader) => {
  const parts = grouped(withoutNote);
  const read = realReaders[reader](
    parts.map((part, at) => fileOf(`typed-${at}`, part.map(({ line }) => line).join(''))),
  );
  const wrong = parts.flatMap((part, at) =>
    part.filter(({ ours }) => ours.some(({ key, value }) => read[at]?.get(key) !== value)),
  );
  expect(wrong).toEqual([]);
  expect(withoutNote.length).toBeGreaterThan(500);
});
