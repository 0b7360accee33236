// covers: ENV-01
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { envReaders, readVariables, variableLine, type EnvReader } from '@quarterdeck/events/inputs';
import { realReaders } from './env-readers';

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
]; // prettier-ignore

const odd = fc.sample(
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...` \t\n\r"'\`\\$#={}[]()nrtaB1~!*;&|<>`), maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ maxLength: 12 }),
  ),
  { numRuns: 300 - known.length, seed: 29 },
);

const variables = [...known, ...odd.map((value) => value.replaceAll('\0', '0'))].map((value, at) => ({
  key: `V${at}`,
  value,
}));

test('our own import reads every value back', () => {
  const read = readVariables(variables.map((one) => variableLine(one).line).join(''));
  expect(read).toMatchObject({ variables, unread: [] });
});

test.each([...envReaders])('%s reads every value back, except those named with it', (reader: EnvReader) => {
  const file = path.join(folder, `${reader.replaceAll(' ', '-')}.env`);
  const readable = variables.filter((one) => !variableLine(one).misreadBy.includes(reader));
  writeFileSync(file, readable.map((one) => variableLine(one).line).join(''));
  const values = realReaders[reader](file);
  expect(
    readable.filter(({ key, value }) => values[key] !== value).map(({ key, value }) => [value, values[key]]),
  ).toEqual([]);
  // Only values that need what no common form has are named.
  expect(readable.length).toBeGreaterThan(variables.length * 0.6);
});

test.each(known.filter((value) => !/[\r\\]|\$\{|\$.*'|".*'|'.*"|`.*'|^'.*'$/s.test(value)))(
  '%j has a line that all of them read',
  (value) => {
    expect(variableLine({ key: 'A', value }).misreadBy).toEqual([]);
  },
);
