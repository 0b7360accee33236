/** Expressions in CEL: what compiles, what is refused and where, what they are, and what ends. covers: WF-02 */
import { withBoundedSearch } from './bounded-search';
import { threads } from '../threads';
import { firstTrue, refusedConditions, refusedValues, valuesOf, type ExpressionScope } from '.';

const scope: ExpressionScope = {
  variables: { data: 'json', result: 'json', choice: 'string' },
  maxBytes: 64_000,
};
const facts = (data: unknown, result: unknown = {}, choice = '') => ({
  data: JSON.stringify(data),
  result: JSON.stringify(result),
  choice,
});

afterAll(() => threads.close());

describe('a condition that cannot be used names its place', () => {
  const nodes = Array.from({ length: 150 }, () => 'data.a').join(' + ');
  it.each([
    ['data.count ==', 1, 14, /./],
    ['data.ok &&\n  nothing == 1', 2, 3, /nothing/],
    [`data.ok ||\n    data.name.matches('(a+)+$')`, 2, 5, /^matches is not available/],
    ['[1].all(a, [1].all(b, [1].all(c, true)))', 1, 23, /^at most 2 of map, filter/],
    [`${nodes} > 1`, 1, undefined, /200/],
    ['choice', undefined, undefined, /^this is string, and it has to be true or false$/],
    ['data.name == "a" ? 1 : 2', undefined, undefined, /^this is int/],
    ['"unclosed', 1, 1, /./],
  ])('%s', async (text, line, column, reason) => {
    const [refusal] = await refusedConditions(scope, [text]);
    expect(refusal).toMatchObject({ reason: expect.stringMatching(reason) });
    if (line !== undefined) expect(refusal?.line).toBe(line);
    if (column !== undefined) expect(refusal?.column).toBe(column);
  });

  it('is judged beside good ones', async () => {
    const refusals = await refusedConditions(scope, ['', 'data.a == 1', 'data.a =', ' ']);
    expect(refusals.map((one) => one !== null)).toEqual([false, false, true, false]);
  });
});

it('macros that follow each other are not nested', async () => {
  const text = 'data.list.map(x, x + 1).filter(x, x > 2).exists(x, x == 4)';
  expect(await refusedConditions(scope, [text])).toEqual([null]);
  expect(await firstTrue(scope, [text], facts({ list: [1, 2, 3] }))).toEqual({ is: 'taken', index: 0 });
});

describe('the first condition that is true', () => {
  it.each([
    [['data.n > 5', 'data.n > 1', 'true'], { is: 'taken', index: 1 }],
    [['data.n > 5', '', 'data.missing'], { is: 'taken', index: 1 }],
    [['', 'data.missing'], { is: 'taken', index: 0 }],
    [['data.n > 5', 'data.n > 6'], { is: 'none' }],
    [[], { is: 'none' }],
    [['choice == "yes" && result.code == 0'], { is: 'taken', index: 0 }],
    // An error is not false, so what comes after it is not asked.
    [['data.n > 5', 'data.missing == 1', 'true'], { is: 'undecided', index: 1 }],
    [['data.n'], { is: 'undecided', index: 0, reason: 'it is neither true nor false' }],
    [['data.constructor == null'], { is: 'undecided', index: 0 }],
    [['has(data.missing) || data.n == 3'], { is: 'taken', index: 0 }],
  ])('of %j is %j', async (conditions, expected) => {
    expect(await firstTrue(scope, conditions, facts({ n: 3 }, { code: 0 }, 'yes'))).toMatchObject(expected);
  });

  it('says where an evaluation failed', async () => {
    expect(await firstTrue(scope, ['data.n > 1 &&\n data.missing'], facts({ n: 3 }))).toEqual({
      is: 'undecided',
      index: 0,
      reason: expect.stringMatching(/^line 2, column \d+: No such key: missing$/),
    });
  });
});

describe('a value', () => {
  it.each([
    ['data.n + 1', 4],
    ['data.half', 2.5],
    ['data.n * 2.0', undefined],
    ['double(data.n) * 2.0', 6],
    ['data.list.map(x, x * 2)', [2, 4]],
    ['{"name": data.name, "of": [1, 2]}', { name: 'it', of: [1, 2] }],
    ['data.nothing', null],
    ['"port " + string(data.n)', 'port 3'],
    ['timestamp("2026-01-02T03:04:05Z")', '2026-01-02T03:04:05.000Z'],
    ['9007199254740993', undefined],
    ['1.0 / 0.0', undefined],
    ['b"bytes"', undefined],
    ['type(data.n)', undefined],
  ])('of %s is %j', async (text, value) => {
    expect(await refusedValues(scope, [text])).toEqual([null]);
    const data = { n: 3, half: 2.5, list: [1, 2], name: 'it', nothing: null };
    const [outcome] = await valuesOf(scope, [text], facts(data));
    expect(outcome).toMatchObject(value === undefined ? { is: 'undecided' } : { is: 'value', value });
  });
});

describe('what runs away is ended and is undecided', () => {
  const long = (length: number) => 'a'.repeat(length);
  const numbers = Array.from({ length: 8_000 }, (_, at) => at);
  it.each([
    [
      'a loop in a loop',
      'data.all(a, data.exists(b, b == -1 || a >= 0 && b < 0) == false)',
      numbers,
      /not decided within 250 ms/,
    ],
    [
      'a search of a text that grew',
      'data.list.map(x, data.t).join("").contains("b" + data.list.map(x, data.t).join(""))',
      { list: numbers.slice(0, 1000), t: long(30_000) },
      /too long to look for one in the other|not decided within 250 ms/,
    ],
    [
      'a split of such a text',
      'data.list.map(x, data.t).join("").split("b" + data.list.map(x, data.t).join("")).size() > 0',
      { list: numbers.slice(0, 1000), t: long(30_000) },
      /too long to look for one in the other|not decided within 250 ms/,
    ],
    [
      'a text that doubles',
      `${Array.from({ length: 40 }, (_, at) => `cel.bind(v${at + 1}, v${at} + v${at}, `)
        .join('')
        .replace('v0 + v0', 'data.t + data.t')}true${')'.repeat(40)}`,
      { t: long(60_000) },
      /./,
    ],
  ])('%s', async (_, text, data, reason) => {
    const outcome = await firstTrue(scope, [text], facts(data));
    expect(outcome).toMatchObject({ is: 'undecided', reason: expect.stringMatching(reason) });
    // The threads go on.
    expect(await firstTrue(scope, ['data.t.contains("ab")'], facts({ t: 'cab' }))).toMatchObject({
      is: 'taken',
    });
  });
});

it('facts beyond the limit are not read', async () => {
  const conditions = ['data.size() > 0'];
  expect(await firstTrue(scope, conditions, facts('a'.repeat(63_998)))).toEqual({ is: 'taken', index: 0 });
  expect(await firstTrue(scope, conditions, facts('a'.repeat(63_999)))).toEqual({
    is: 'undecided',
    index: 0,
    reason: 'data has 64001 bytes, and an expression may read at most 64000',
  });
});

// Above, the time may be over before the texts have grown.
it.each(['includes', 'indexOf', 'lastIndexOf', 'split'] as const)(
  '%s of long texts fails at once',
  (search) => {
    const [text, sought] = ['a'.repeat(60_000), 'b'.repeat(60_000)];
    expect(() => withBoundedSearch(() => text[search](sought))).toThrow('these texts are too long');
    expect(withBoundedSearch(() => 'cab'.includes('ab'))).toBe(true);
  },
);
