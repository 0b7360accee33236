import { RecordedIds } from './recorded-ids';

const seen = (from: number, ...ids: string[]) =>
  ids.map((id, nth) => ({ id, revision: from + nth, position: `${from + nth + 1}` }));

test('knows a stream as far as it was read without a gap', () => {
  const ids = new RecordedIds();
  ids.add('a', seen(0, 'x', 'y'));
  ids.add('a', seen(5, 'z'));
  expect(ids.upTo('a')).toBe(1);
  expect(ids.find('a', ['z'])).toBeUndefined();
  ids.add('a', seen(1, 'y', 'w'));
  expect(ids.upTo('a')).toBe(2);
  expect(ids.find('a', ['w'])).toEqual({ revision: 2, position: '3' });
  expect(ids.upTo('b')).toBe(-1);
});

test('finds ids that were written by one append, and reports if only a part of them exists', () => {
  const ids = new RecordedIds();
  ids.add('a', seen(0, 'x', 'y', 'z'));
  expect(ids.find('a', ['x', 'y'])).toEqual({ revision: 1, position: '2' });
  expect(ids.find('a', ['y', 'z'])).toEqual({ revision: 2, position: '3' });
  expect(ids.find('a', ['z', 'new'])).toBe('mixed');
  expect(ids.find('a', ['new', 'x'])).toBe('mixed');
  expect(ids.find('a', ['y', 'x'])).toBe('mixed');
  expect(ids.find('b', ['x'])).toBeUndefined();
});

test('forgets the least recently used streams', () => {
  const ids = new RecordedIds(4);
  ids.add('a', seen(0, 'a0', 'a1'));
  ids.add('b', seen(0, 'b0', 'b1'));
  ids.add('a', seen(2, 'a2'));
  expect([ids.upTo('a'), ids.upTo('b')]).toEqual([2, -1]);
  ids.add('b', seen(0, 'b0'));
  expect([ids.upTo('a'), ids.upTo('b')]).toEqual([2, 0]);
});
