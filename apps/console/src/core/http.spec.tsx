import { answerWith, unreachable } from '../testing/network';
import { send, toApiError } from './http';

describe('calls', () => {
  test('send the header that a foreign page cannot send, and a JSON content type only with a body', async () => {
    const { calls } = answerWith({ 'POST /api/server/list': { body: [] }, 'GET /api/session': { body: {} } });
    await send({ url: '/server/list', body: {} });
    await send({ url: '/session' });
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/server/list',
      'GET /api/session',
    ]);
    expect(calls.map(({ headers }) => headers.get('x-requested-with'))).toEqual([
      'quarterdeck',
      'quarterdeck',
    ]);
    expect(calls.map(({ headers }) => headers.get('content-type'))).toEqual(['application/json', null]);
  });

  test('return the position and the correlation id of the answer', async () => {
    answerWith({
      'GET /api/session': { body: { a: 1 }, position: '42', headers: { 'x-correlation-id': 'c-1' } },
    });
    expect(await send({ url: '/session' })).toEqual({
      data: { a: 1 },
      meta: { position: '42', correlationId: 'c-1' },
    });
  });

  test('return null for 204', async () => {
    answerWith({ 'POST /api/x': { status: 204 } });
    expect(await send({ url: '/x', body: {} })).toEqual({ data: null, meta: {} });
  });

  test('return a file with the name from its content-disposition header, whatever its content', async () => {
    const headers = { 'content-disposition': 'attachment; filename="shop-v2.js"' };
    answerWith({ 'POST /api/x': { text: 'export {}', headers } });
    const answer = await send({ url: '/x', body: {} });
    const { name, blob } = ('data' in answer ? answer.data : {}) as { name: string; blob: Blob };
    expect([name, await blob.text()]).toEqual(['shop-v2.js', 'export {}']);
  });
});

/** covers: ERR-01 */
describe('failures', () => {
  const failed = async (reply: Parameters<typeof answerWith>[0][string]) => {
    answerWith({ 'POST /api/x': reply });
    const answer = await send({ url: '/x', body: {} });
    return 'error' in answer ? answer.error : undefined;
  };

  test('carry status, message and the first message of each field', async () => {
    const body = {
      msg: 'not accepted',
      data: { alias: 'This field is required', port: ['first', 'second'], odd: 3 },
    };
    expect(await failed({ status: 400, body })).toEqual({
      status: 400,
      msg: 'not accepted',
      data: { alias: 'This field is required', port: 'first' },
    });
  });

  test('carry the current version when somebody else changed the row', async () => {
    const current = { alias: 'web-2', revision: 3 };
    expect(await failed({ status: 409, body: { msg: 'changed', current } })).toEqual({
      status: 409,
      msg: 'changed',
      current,
    });
  });

  test('carry the correlation id, the code and the seconds to wait before a retry', async () => {
    const headers = { 'x-correlation-id': 'c-7', 'retry-after': '3' };
    expect(await failed({ status: 502, body: { msg: 'no route', code: 'unreachable' }, headers })).toEqual({
      status: 502,
      msg: 'no route',
      code: 'unreachable',
      correlationId: 'c-7',
      retryAfterSeconds: 3,
    });
  });

  test('have a default message when the server sends none', async () => {
    expect(await failed({ status: 503, body: {} })).toMatchObject({
      msg: expect.stringContaining('Check whether it was saved'),
    });
    expect(await failed({ status: 418, body: 'short and stout' })).toMatchObject({
      status: 418,
      msg: expect.stringContaining('418'),
    });
  });

  test('report an answer that is not JSON', async () => {
    expect(await failed({ status: 500, text: '<html>' })).toEqual({
      status: 500,
      msg: "The server's answer could not be read: could not parse response to json",
    });
    expect(await failed({ status: 200, text: '<html>' })).toEqual({
      status: 'unreadable',
      msg: "The server's answer could not be read: could not parse response to json",
    });
  });

  test('have the same shape when there is no network', async () => {
    unreachable();
    expect(await send({ url: '/session' })).toMatchObject({ error: { status: 'offline' } });
  });

  test('do not throw when a call is aborted, since the browser would log that as an error', async () => {
    unreachable();
    const signal = AbortSignal.abort();
    expect(await send({ url: '/session', signal })).toMatchObject({ error: { status: 'offline' } });
  });

  test('have the same shape whatever was thrown', () => {
    expect(toApiError(new Error('boom'))).toEqual({ status: 'unreadable', msg: 'boom' });
    expect(toApiError({ status: 404, msg: 'gone' })).toEqual({ status: 404, msg: 'gone' });
  });
});
