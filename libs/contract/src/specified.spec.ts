// covers: OPT-01, VER-01
import { gathered, identified, renamed, unkeyed } from './specified';

test.each([
  [
    { name: 'Shop', product: { id: 1 } },
    { data: { name: 'Shop' }, product: { id: 1 } },
  ],
  [{ data: { name: 'Shop', product: { id: 1 } } }, { data: { name: 'Shop' }, product: { id: 1 } }],
  [
    { data: { name: 'Shop' }, product: { id: 1 } },
    { data: { name: 'Shop' }, product: { id: 1 } },
  ],
  // The product of the call counts, and the one inside is refused by its name.
  [
    { data: { product: { id: 2 } }, product: { id: 1 } },
    { data: { product: { id: 2 } }, product: { id: 1 } },
  ],
  ['nothing', 'nothing'],
])('the product of %j is outside of its data: %j', (body, expected) => {
  expect(gathered('product')(body)).toEqual(expected);
});

test.each([
  [
    { uuid: 1, key: 'a' },
    { id: 1, uuid: 1, key: 'a' },
  ],
  // As it was answered.
  [
    { id: 1, name: 'a', uuid: 1, key: 'a' },
    { id: 1, name: 'a', uuid: 1, key: 'a' },
  ],
  [{ id: 1 }, { id: 1 }],
  [null, null],
])('a reference %j is read as %j', (cms, expected) => {
  const read = unkeyed({ cms: { keyed: true }, server: {} });
  expect(read({ id: 7, data: { cms, server: { uuid: 1 } } })).toEqual({
    id: 7,
    data: { cms: expected, server: { uuid: 1 } },
  });
});

test('the parent of a record may have the name that the specification gives it', () => {
  const read = renamed('modelOptionSet', 'optionSet');
  const expected = { data: { key: 1, optionSet: { id: 7 } } };
  expect(read({ data: { key: 1, modelOptionSet: { id: 7 } } })).toEqual(expected);
  expect(read({ data: { key: 1 }, modelOptionSet: { id: 7 } })).toEqual({
    data: { key: 1 },
    optionSet: { id: 7 },
  });
  expect(read({ key: 1, modelOptionSet: { id: 7 } })).toEqual({ key: 1, optionSet: { id: 7 } });
  expect(renamed(undefined, 'product')({ name: 'Shop' })).toEqual({ name: 'Shop' });
});

test('a record may be asked for by `uuid`', () => {
  expect(identified({ uuid: 7 })).toEqual({ id: 7 });
  expect(identified({ uuid: 7, id: 8 })).toEqual({ uuid: 7, id: 8 });
  expect(identified('nothing')).toBe('nothing');
});
