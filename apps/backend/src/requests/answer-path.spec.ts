// covers: REQ-02
import { valueAt } from './answer-path';

const json = { data: { items: [{ id: 41 }] }, 'order.id': 7, '': { 'a"b': 1 } };

it.each([
  ['data.items[0].id', 41],
  ['$.data.items[0].id', 41],
  ['["order.id"]', 7],
  ['[""]["a\\"b"]', 1],
  ['data.items[1]', undefined],
  ['["data.items"]', undefined],
  ['["\\x"]', undefined],
])('the value at %s is %s', (path, value) => {
  expect(valueAt(json, path)).toBe(value);
});
