import { gathered, unkeyed } from './specified';

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
