/** covers: API-04 */
import { differencesOf, saysSomething } from './differences';

const differences = (before: unknown, after: unknown) =>
  differencesOf(JSON.stringify(before), JSON.stringify(after));

test('answers that say the same differ in nothing, whatever the order of their fields', () => {
  const same = { shape: [] };
  expect(differences([{ id: '1', name: 'Ada' }], [{ name: 'Ada', id: '1' }])).toEqual(same);
  expect(differences(null, null)).toEqual(same);
});

test('fields that come and go, and types that change, are told of each item', () => {
  expect(
    differences(
      [
        { id: '1', name: 'Ada', total: '1.50' },
        { id: '2', name: null, total: '2.50' },
      ],
      [
        { id: '1', total: 1.5, city: 'Bern' },
        { id: '2', total: 2.5, city: null },
      ],
    ),
  ).toEqual({
    shape: [
      { path: '[].name', before: 'string', after: 'absent' },
      { path: '[].total', before: 'string', after: 'number' },
      { path: '[].city', before: 'absent', after: 'string' },
    ],
    value: { path: '[0].total', before: '"1.50"', after: '1.5' },
  });
});

test('only the first value that differs is told, and how long lists are', () => {
  const rows = [{ id: '1' }, { id: '2' }];
  expect(differences(rows, rows.toReversed())).toEqual({
    shape: [],
    value: { path: '[0].id', before: '"1"', after: '"2"' },
  });
  expect(differences({ rows }, { rows: rows.slice(0, 1) })).toEqual({
    shape: [],
    value: { path: 'rows', before: '2 items', after: '1 item' },
  });
});

test('of a list without items, and of a value that is always null, the shape is not known', () => {
  expect(differences([{ id: '1' }], [])).toEqual({
    shape: [],
    value: { path: '', before: '1 item', after: '0 items' },
  });
  expect(differences({ note: null }, { note: 'x' })).toEqual({
    shape: [],
    value: { path: 'note', before: 'null', after: '"x"' },
  });
});

test('another kind of answer is one difference', () => {
  expect(differences([{ id: '1' }], { id: '1' })).toEqual({
    shape: [{ path: '', before: 'list', after: 'object' }],
    value: { path: '', before: '[{"id":"1"}]', after: '{"id":"1"}' },
  });
});

test('what is told is bounded, however wide, long or deep the answers are', () => {
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, at]));
  expect(differences(wide, {}).shape).toHaveLength(10);
  const name = 'n'.repeat(1000);
  const { value } = differences({ [name]: 'x'.repeat(1000) }, { [name]: 'y' });
  expect(value?.path).toHaveLength(200);
  expect(value?.before.length).toBeLessThan(110);
  const deep = (inner: string) => `${'['.repeat(60)}${inner}${']'.repeat(60)}`;
  expect(differencesOf(deep('1'), deep('2')).value?.path).toBe('[0]'.repeat(20));
});

test('names of fields mean nothing but themselves', () => {
  const before = '{"__proto__":{"id":1},"constructor":1}';
  expect(differencesOf(before, '{"constructor":1}')).toEqual({
    shape: [{ path: '__proto__', before: 'object', after: 'absent' }],
  });
});

test.each([
  ['[]', false],
  ['null', false],
  ['{}', false],
  ['{"rows":[],"next":null}', false],
  ['[null,{"a":{}}]', false],
  ['[{"id":"1"}]', true],
  ['""', true],
  ['0', true],
  ['{"rows":[],"count":0}', true],
  ['{"a\\"b":null}', false],
])('whether %s says something: %s', (json, says) => {
  expect(saysSomething(json)).toBe(says);
});
