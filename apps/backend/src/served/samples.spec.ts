/** covers: API-04 */
import type { CompiledBlock } from '@quarterdeck/api';
import { sampleOf, Samples, type AnsweredRequest, type Sample } from './samples';

const sample = (more: Partial<Sample> = {}): Sample => ({
  endpoint: 'orders',
  path: '/orders',
  search: '',
  user: undefined,
  status: 200,
  ...more,
});
const searches = (samples: readonly Sample[]) => samples.map(({ search }) => search);
const HOUR = 3_600_000;

test('the newest 20 different requests of an endpoint are kept, at most 5 of them refused', () => {
  const samples = new Samples();
  samples.add(
    Array.from({ length: 9 }, (_, at) => sample({ search: `q=${at}`, status: 400 })),
    0,
  );
  samples.add(
    Array.from({ length: 30 }, (_, at) => sample({ search: `page=${at}` })),
    0,
  );
  samples.add([sample({ search: 'page=20' }), sample({ endpoint: 'others' })], 0);
  const kept = searches(samples.of('orders', 0));
  expect(kept.filter((search) => search.startsWith('q='))).toEqual(['q=4', 'q=5', 'q=6', 'q=7', 'q=8']);
  expect(kept.filter((search) => search.startsWith('page='))).toHaveLength(15);
  expect(kept.at(-1)).toBe('page=20');
  expect(samples.of('others', 0)).toHaveLength(1);
});

test('the same request of somebody else is another one', () => {
  const samples = new Samples();
  const of = (id: string) => sample({ user: { id, permission: 'app' } });
  samples.add([of('ada'), of('grace'), of('ada')], 0);
  expect(samples.of('orders', 0).map(({ user }) => user?.id)).toEqual(['grace', 'ada']);
});

test('a request is forgotten after an hour, also if nobody asks for it', () => {
  jest.useFakeTimers({ now: 0 });
  try {
    const samples = new Samples();
    samples.add([sample()]);
    expect(samples.of('orders', HOUR - 1)).toHaveLength(1);
    expect(samples.of('orders', HOUR)).toEqual([]);
    jest.advanceTimersByTime(2 * HOUR);
    // Nothing is left that a clock that went back could show.
    expect(samples.of('orders', 0)).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

test('all requests of an API together are bounded: those of the endpoint asked least recently go first', () => {
  const samples = new Samples();
  const long = 'x'.repeat(1900);
  for (let at = 0; at < 40; at += 1)
    samples.add(
      Array.from({ length: 15 }, (_, one) => sample({ endpoint: `e${at}`, search: `${one}${long}` })),
      0,
    );
  expect(samples.of('e0', 0)).toEqual([]);
  expect(samples.of('e39', 0)).toHaveLength(15);
  const all = Array.from({ length: 40 }, (_, at) => samples.of(`e${at}`, 0)).flat();
  expect(all.reduce((sum, { search }) => sum + search.length, 0)).toBeLessThan(500_000);
});

const answered = (
  more: Partial<AnsweredRequest> = {},
  ...types: CompiledBlock['type'][]
): AnsweredRequest => ({
  ...sample(),
  endpoint: { id: 'orders', compiled: { blocks: types.map((type) => ({ type })) } as never },
  method: 'GET',
  params: {},
  ...more,
});

test.each<[string, AnsweredRequest]>([
  ['it failed', answered({ status: 503 }, 'list')],
  ['the caller had no token', answered({ status: 401 }, 'list')],
  ['the caller had another permission', answered({ status: 403 }, 'list')],
  ['the caller had asked too often', answered({ status: 429 }, 'list')],
  ['it is long', answered({ search: `q=${'x'.repeat(2000)}` }, 'list')],
  ['its query has a token', answered({ search: 'page=1&access_token=abc' }, 'list')],
  ['its query has a password', answered({ search: 'Password=abc' }, 'list')],
  ['its path has a token', answered({ params: { resetToken: 'abc' } }, 'list')],
  ['it is no GET', answered({ method: 'HEAD' }, 'list')],
  ['its endpoint writes', answered({}, 'list', 'update')],
])('a request is not kept if %s', (_, asked) => {
  expect(sampleOf(asked)).toBeUndefined();
});

test('any other request is kept, without what is no part of it', () => {
  const user = { id: 'u1', permission: 'app' } as const;
  expect(
    sampleOf(answered({ search: 'author=ada', params: { id: '7' }, user }, 'detail', 'snippet')),
  ).toEqual({ endpoint: 'orders', path: '/orders', search: 'author=ada', user, status: 200 });
  expect(sampleOf(answered({ status: 404 }, 'detail'))).toBeDefined();
});
