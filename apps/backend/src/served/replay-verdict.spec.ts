/** covers: API-04 */
import type { ReplayedRequest } from '@quarterdeck/contract';
import { compared } from './child/replay';
import { verdictOn } from './replay-verdict';

const same: ReplayedRequest = {
  request: 'GET /orders',
  as: 'nobody',
  before: { status: 200, ms: 1 },
  after: { status: 200, ms: 1 },
  shape: [],
};
const other = { ...same, value: { path: '[0].id', before: '1', after: '2' } };
const silent = { ...same, unproven: 'both answers are empty' };
const refused = { ...same, after: { status: 400, ms: 1 } };

test.each<[ReplayedRequest[], number, string, string]>([
  [[same], 0, 'same', '1 of 1 request is answered the same.'],
  [[same, same], 0, 'same', '2 of 2 requests are answered the same.'],
  [[same, silent], 0, 'partly', '1 of 2 requests is answered the same. 1 request proves nothing.'],
  [
    [same, same],
    3,
    'partly',
    '2 of 5 requests are answered the same. 3 requests were not sent, because the time of 5 s was over.',
  ],
  [[same, other, refused], 0, 'differs', '2 of 3 requests are answered differently.'],
  [[silent, other], 0, 'differs', '1 of 2 requests is answered differently. 1 request proves nothing.'],
  [[silent, silent], 0, 'unproven', 'The replay proves nothing.'],
  [[], 1, 'unproven', 'The replay proves nothing. 1 request was not sent, because the time of 5 s was over.'],
])('%# the verdict', (requests, left, verdict, message) => {
  expect(verdictOn(requests, left)).toEqual({ verdict, message, requests });
});

const answer = (text: string | undefined, more: object = {}) => ({
  status: text === undefined ? 400 : 200,
  ms: 1,
  ...(text !== undefined && { text }),
  ...more,
});
const [ada, grace] = ['[{"name":"Ada"}]', '[{"name":"Grace"}]'];
const value = { path: '[0].name', before: '"Ada"', after: '"Grace"' };

test('an answer proves what it says', () => {
  expect(compared(answer(ada), answer(ada))).toEqual({ shape: [] });
  expect(compared(answer(ada), answer(grace))).toEqual({ shape: [], value });
  expect(compared(answer(ada), answer(grace, { status: 203 }))).toEqual({ shape: [], value });
  expect(compared(answer(ada), answer(undefined))).toEqual({ shape: [] });
  expect(compared(answer(ada), answer(undefined, { status: 503 }))).toEqual({ shape: [] });
});

test('an answer that says nothing proves nothing', () => {
  const long = (name: string) => JSON.stringify([{ name: name.repeat(300_000) }]);
  const why = (...given: Parameters<typeof compared>) => compared(...given).unproven;
  expect(why(answer('[]'), answer('[]'))).toBe('both answers are empty');
  expect(why(answer(undefined), answer(undefined))).toBe('both definitions refuse it');
  expect(why(answer(undefined, { status: 503 }), answer(ada))).toBe(
    'the present definition could not answer it',
  );
  expect(why(answer(long('a')), answer(long('b')))).toBe(
    'an answer is larger than 256 kB: only its status was compared',
  );
  expect(why(answer(long('a')), answer(long('a')))).toBeUndefined();
  expect(why(answer(ada), answer(ada, { hasTriedToWrite: true }))).toBe(
    'a snippet calls a block that writes, which is refused in a replay',
  );
});

test('values that differ each time are no difference of the definitions, but fields that come and go are', () => {
  const again = answer('[{"name":"Joan"}]');
  expect(compared(answer(ada), answer(grace), again)).toEqual({
    shape: [],
    unproven: 'the present definition answers it differently each time',
  });
  expect(compared(answer(ada), answer('[{"name":"Grace","id":1}]'), again)).toEqual({
    shape: [{ path: '[].id', before: 'absent', after: 'number' }],
  });
  expect(compared(answer(ada), answer(grace), answer(ada))).toEqual({ shape: [], value });
});
