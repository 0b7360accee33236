// covers: ENV-01
import * as fc from 'fast-check';
import { readVariables, variableLines } from './variables-text';

const of = (...pairs: [string, string][]) => ({ variables: pairs.map(([key, value]) => ({ key, value })) });

test.each([
  ['[["A", "1"], ["B", 2], ["C", true]]', of(['A', '1'], ['B', '2'], ['C', 'true'])],
  ['["A=1", "B=x=y", "C="]', of(['A', '1'], ['B', 'x=y'], ['C', ''])],
  [
    'A=1\nB = two words \r\n\n# comment\nexport C=x#y # not this',
    of(['A', '1'], ['B', 'two words'], ['C', 'x#y']),
  ],
  [String.raw`A="one\ntwo \"x\" \$y \d" # why`, of(['A', 'one\ntwo "x" $y \\d'])],
  ["A='one\ntwo\\n'\nB=`it's`", of(['A', 'one\ntwo\\n'], ['B', "it's"])],
  ['A="-----BEGIN\nX\n-----END"\n  B=1', of(['A', '-----BEGIN\nX\n-----END'], ['B', '1'])],
  ['A=#nothing\nB=', of(['A', ''], ['B', ''])],
  ['', of()],
])('reads %j', (text, read) => {
  expect(readVariables(text)).toEqual(read);
});

test.each([
  ['[["A", "1"', "JSON cant't be parsed"],
  ['[["A"]]', "JSON cant't be parsed"],
  ['["A"]', "JSON cant't be parsed"],
  ['[["A", null]]', "JSON cant't be parsed"],
  ['A=1\nnothing', 'line 2: this is not key=value'],
  ['A=1\nB="x\ny', 'line 2: the quote of B is not closed'],
  ['A="x" y', 'line 1: text follows the quote of A'],
  ['A=1\n\n2B=1', 'line 3: "2B" is not a name: use letters, digits and _, and begin with no digit'],
  ['["A-B=1"]', 'entry 1: "A-B" is not a name: use letters, digits and _, and begin with no digit'],
  ['A=1\nB=2\nA=3', 'line 3: A is given in line 1 already'],
])('says what is wrong with %j', (text, problem) => {
  expect(readVariables(text)).toEqual({ problem });
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
      expect(readVariables(variableLines(all))).toEqual({ variables: all });
    }),
  );
});

test('reads JSON pairs as they are', () => {
  fc.assert(
    fc.property(variables, (all) => {
      const text = JSON.stringify(all.map(({ key, value }) => [key, value]));
      expect(readVariables(text)).toEqual({ variables: all });
    }),
  );
});

test('answers with variables or a problem, whatever the text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A\s"'`\\#=[\]]*$/)), (text) => {
      expect(Object.keys(readVariables(text))).toHaveLength(1);
    }),
  );
});
