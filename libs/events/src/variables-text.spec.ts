// covers: ENV-01
import * as fc from 'fast-check';
import { variableLine, variableLines } from './variables-lines';
import { MAX_IMPORT_LINES, readVariables } from './variables-text';

const pairs = (text: string): [string, string][] | string => {
  const read = readVariables(text);
  return 'problem' in read ? read.problem : read.variables.map(({ key, value }) => [key, value]);
};

test.each([
  ['[["A", "1"], ["B", 2], ["C", true]]', ['A', '1'], ['B', '2'], ['C', 'true']],
  ['["A=1", "B=x=y", "C=", "D= 1"]', ['A', '1'], ['B', 'x=y'], ['C', ''], ['D', ' 1']],
  ['\uFEFF[["A","1"]]', ['A', '1']],
  ['\uFEFFA=1', ['A', '1']],
  [
    'A=1\nB = two words \r\n\n# comment\nexport C=x#y # not this',
    ['A', '1'],
    ['B', 'two words'],
    ['C', 'x#y'],
  ],
  ['A=1\rB=2', ['A', '1'], ['B', '2']],
  ['A="x\r\ny"\r\nB=2\r\n', ['A', 'x\ny'], ['B', '2']],
  [String.raw`A="one\ntwo \"x\" \$y \d" # why`, ['A', 'one\ntwo "x" $y \\d']],
  ["A='one\ntwo\\n'\nB=`it's`", ['A', 'one\ntwo\\n'], ['B', "it's"]],
  [String.raw`A='Let\'s'`, ['A', "Let's"]],
  ['A="-----BEGIN\nX\n-----END"\n  B=1', ['A', '-----BEGIN\nX\n-----END'], ['B', '1']],
  ['COLOR=#ff0000\nB=\nC= # nothing', ['COLOR', '#ff0000'], ['B', ''], ['C', '']],
  ['spring.datasource.url=jdbc:x\nA-B=1', ['spring.datasource.url', 'jdbc:x'], ['A-B', '1']],
  [''],
])('reads %j', (text, ...variables) => {
  expect(pairs(text)).toEqual(variables);
});

test.each(['[["A", "1"', '[["A"]]', '["A"]', '[["A", null]]', '{"A":"1"}', '{'])(
  '%s is no JSON of variables',
  (text) => {
    expect(readVariables(text)).toEqual({ problem: "JSON cant't be parsed" });
  },
);

const NAMES = 'use letters, digits, _, . and -, and begin with a letter or _';

test.each([
  ['nothing', { line: 2, problem: 'this is not key=value' }],
  ['B="x', { line: 2, key: 'B', problem: 'the quote of B is not closed' }],
  ['B="x" y', { line: 2, key: 'B', problem: 'text follows the quote of B' }],
  ['2B=1', { line: 2, key: '2B', problem: `"2B" is not a name: ${NAMES}` }],
  ['A=3', { line: 2, key: 'A', problem: 'A is set in line 1 already' }],
])('reads the lines around %j, and says what is wrong with it', (text, unread) => {
  const read = readVariables(`A=1\n${text}\nC=3`);
  expect(pairs(`A=1\n${text}\nC=3`)).toEqual([
    ['A', '1'],
    ['C', '3'],
  ]);
  expect(read).toMatchObject({ unit: 'line', unread: [unread] });
});

test('counts the entries of JSON', () => {
  expect(readVariables('["A=1","2B=1","A=2"]')).toMatchObject({
    unit: 'entry',
    unread: [{ line: 2 }, { line: 3, problem: 'A is set in entry 1 already' }],
  });
});

test.each([
  ['A = 1', undefined],
  ['["A = 1"]', 'the spaces around = are left out'],
  ['A=#1', '# belongs to the value; dotenv and Node would begin a comment there'],
  ['A=1 # x', 'the text after # is a comment'],
  ['A=$HOME/x', expect.stringContaining('the $ is kept as it is')],
  ['A="1\n2"', 'the value has several lines'],
  [String.raw`A='it\'s'`, String.raw`\' is read as a quote; dotenv would keep the backslash`],
  [String.raw`A="\""`, String.raw`escapes such as \" are replaced; dotenv would keep them`],
  ['A=`1`', 'only dotenv and Node read backticks as quotes'],
  ["A='$HOME'", undefined],
])('says what is unusual about %j', (text, note) => {
  const read = readVariables(text);
  expect('variables' in read && read.variables[0]?.note).toEqual(note);
});

test.each([
  'a=\n'.repeat(20_000),
  Array.from({ length: 20_000 }, (_, at) => `K${at}=1`).join('\n'),
  JSON.stringify(Array.from({ length: 20_000 }, (_, at) => `K${at}=1`)),
])('stops reading a text of too many variables', (text) => {
  expect(readVariables(text)).toEqual({ problem: `the text has more than ${MAX_IMPORT_LINES} variables` });
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
const variables = fc.uniqueArray(
  fc.record({
    key: name,
    value: fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\s"'`\\$#=nrt]*$/)),
  }),
  { selector: ({ key }) => key },
);

test('reads back the lines that it writes, whatever the values are', () => {
  fc.assert(
    fc.property(variables, (all) => {
      const written = all.filter((one) => !variableLine(one).leftOut);
      expect(readVariables(variableLines(all))).toMatchObject({ variables: written, unread: [] });
    }),
  );
});

test('reads JSON pairs as they are', () => {
  fc.assert(
    fc.property(variables, (all) => {
      const text = JSON.stringify(all.map(({ key, value }) => [key, value]));
      expect(pairs(text)).toEqual(all.map(({ key, value }) => [key, value]));
    }),
  );
});

test('answers with variables or a problem, whatever the text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A\s"'`\\#=[\]]*$/)), (text) => {
      const read = readVariables(text);
      expect('problem' in read || read.variables.length + read.unread.length <= text.length).toBe(true);
    }),
  );
});
