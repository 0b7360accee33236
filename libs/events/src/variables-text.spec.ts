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
  ['B: 1', { line: 2, problem: 'this is not key=value: write = instead of the colon' }],
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

const AROUND = 'the spaces around = are left out; bash would not read this line';
const COMMAND = 'the command in it is kept as text; bash would run it';
const DOLLAR =
  'the $ is kept as it is; docker compose, bash and some other readers would replace a name after it';
const QUOTES = 'bash would need quotes around this value';
const RETURN = 'a carriage return alone ends this line; Node, docker compose and bash would read on';

test.each([
  ['A=1', '1', undefined],
  ['  A=1\r\n', '1', undefined],
  ["A='$HOME'", '$HOME', undefined],
  ['A="x y"', 'x y', undefined],
  // Around the value.
  ['A = 1', '1', AROUND],
  ['A\t=\t1', '1', AROUND],
  ['A= "1"', '1', AROUND],
  ['["A = 1"]', '1', 'the spaces around = are left out'],
  ['[" A=1"]', '1', 'the spaces before the name are left out'],
  ['export A=1', '1', '"export" is left out'],
  ['A=1  ', '1', 'the spaces after the value are left out'],
  ['A= ', '', 'the spaces after the value are left out'],
  ['A="1" ', '1', 'the spaces after the value are left out'],
  ['A=1\u00a0', '1', 'a no-break space (U+00A0) beside the value is left out'],
  ['A="1"\u2003', '1', 'U+2003 beside the value is left out'],
  ['\ufeffA=1', '1', 'a byte order mark (U+FEFF) before the name is left out'],
  ['\u00a0A=1', '1', 'a no-break space (U+00A0) before the name is left out'],
  ['A=1\rB=2', '1', RETURN],
  ['A="1"\r#', '1', RETURN],
  // Comments.
  ['A=1 # x', '1', 'the text after # is a comment'],
  ['A= # x', '', 'the text after # is a comment'],
  ['A="1"# x', '1', 'the text after # is a comment'],
  ['A=#1', '#1', '# belongs to the value; dotenv and Node would begin a comment there'],
  ['A=1#x', '1#x', '# belongs to the value; dotenv and Node would begin a comment there'],
  // What other readers would replace.
  ['A=$B', '$B', DOLLAR],
  ['A=${B:-x}', '${B:-x}', DOLLAR],
  ['A=pa$$', 'pa$$', DOLLAR],
  ['A="x$B"', 'x$B', DOLLAR],
  [String.raw`A="\$B"`, '$B', String.raw`escapes such as \$ are replaced; dotenv would keep them`],
  ['A=$(cat x)', '$(cat x)', COMMAND],
  ['A="$(cat x)"', '$(cat x)', COMMAND],
  ['A=x`id`', 'x`id`', COMMAND],
  ['A="`id`"', '`id`', COMMAND],
  [String.raw`A="a\nb"`, 'a\nb', String.raw`\n becomes a line end; bash would keep it`],
  [String.raw`A="\""`, '"', String.raw`escapes such as \" are replaced; dotenv would keep them`],
  [
    String.raw`A="\a"`,
    String.raw`\a`,
    'its other escapes are kept; python-dotenv and docker compose would replace some',
  ],
  [String.raw`A="\d"`, String.raw`\d`, undefined],
  [String.raw`A='it\'s'`, "it's", String.raw`\' is read as a quote; dotenv would keep the backslash`],
  [String.raw`A='a\\b'`, String.raw`a\\b`, 'both backslashes are kept; python-dotenv would read one'],
  ['A=`1`', '1', 'the backticks are quotes, as in dotenv and Node; bash would run the text as a command'],
  ["A='${B}'", '${B}', 'the $ is kept as it is; python-dotenv would replace a name after it'],
  [
    "A='b\\'",
    'b\\',
    'the backslash at its end belongs to the value; dotenv, python-dotenv and docker compose would read on',
  ],
  ['A=~/x', '~/x', QUOTES],
  // Several lines.
  ['A="1\n2"', '1\n2', 'the value goes on to line 2'],
  ['A="1\r\n2"', '1\n2', 'the value goes on to line 2\nits line ends become \\n'],
  [
    'A="1\\\n2"',
    '1\\\n2',
    'the value goes on to line 2\na backslash before a line end is kept, as the line end is; bash would join the lines',
  ],
  // Without quotes.
  ['A=a b', 'a b', QUOTES],
  ['A=a"b"c', 'a"b"c', `the quotes in it belong to the value\n${QUOTES}`],
  ['A=\u201ca\u201d', '\u201ca\u201d', 'curly quotes belong to the value: type straight ones to quote it'],
  ['A=it\u2019s', 'it\u2019s', undefined],
  [
    'A=C:\\x\\',
    'C:\\x\\',
    `the backslash at its end belongs to the value; bash would join the next line\n${QUOTES}`,
  ],
  // What nobody sees.
  ['A=" 1"', ' 1', 'the value begins or ends with a space'],
  ['["A= 1"]', ' 1', 'the value begins or ends with a space'],
  ['A=a\tb', 'a\tb', `${QUOTES}\nthe value contains a tab (U+0009)`],
  [
    'A="a\u00a0b\u200b"',
    'a\u00a0b\u200b',
    'the value contains a no-break space (U+00A0), a zero-width space (U+200B)',
  ],
  ['A=a\u0000b', 'a\u0000b', 'the value contains U+0000'],
  [
    'A=M\ufffdller',
    'M\ufffdller',
    'the value contains a character that was lost, perhaps because the file is not UTF-8 (U+FFFD)',
  ],
  ['[["A", "a\\u00a0"]]', 'a\u00a0', 'the value contains a no-break space (U+00A0)'],
  ['[["A", 1e3]]', '1000', 'the number becomes text'],
  ['[["A", true]]', 'true', 'the boolean becomes text'],
])('says what is unusual about %j', (text, value, note) => {
  const read = readVariables(text);
  const [first] = 'variables' in read ? read.variables : [];
  expect(first).toEqual({ line: 1, key: 'A', value, ...(note !== undefined && { note }) });
});

test('a quote that is not closed hides no line after it', () => {
  expect(readVariables('A="1\nB="2"\nC=\'3\nD=4')).toEqual({
    unit: 'line',
    variables: [
      { line: 2, key: 'B', value: '2' },
      { line: 4, key: 'D', value: '4' },
    ],
    unread: [
      { line: 1, key: 'A', problem: 'the quote of A is not closed' },
      { line: 3, key: 'C', problem: 'the quote of C is not closed' },
    ],
  });
});

test('reads the lines of an INI file, except its sections', () => {
  expect(readVariables('[my section]\r\nA=1')).toMatchObject({
    variables: [{ line: 2, key: 'A', value: '1' }],
    unread: [{ line: 1, problem: 'this is not key=value' }],
  });
});

test('shows what nobody sees in a name', () => {
  expect(readVariables('A\u200bB=1')).toMatchObject({
    unread: [{ problem: `"A<U+200B>B" is not a name: ${NAMES}` }],
  });
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
