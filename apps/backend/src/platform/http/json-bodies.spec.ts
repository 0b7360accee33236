import { setImmediate as turn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { acceptJsonOnly, MAX_BODY_BYTES } from './json-bodies';

let server: FastifyInstance;
/** Turns that others have had while the body of the last request was read. */
let turns = 0;

beforeAll(async () => {
  server = fastify({ bodyLimit: 8 * MAX_BODY_BYTES });
  acceptJsonOnly(server);
  let reading = false;
  server.addHook('preParsing', (_request, _reply, payload, done) => {
    reading = true;
    turns = 0;
    payload.once('end', () => {
      void (async () => {
        for (; reading && turns < 100; turns += 1) await turn();
      })();
    });
    done(null, payload);
  });
  server.addHook('preValidation', (_request, _reply, done) => {
    reading = false;
    done();
  });
  server.addHook('onSend', (_request, _reply, _payload, done) => {
    reading = false;
    done();
  });
  server.post('/', ({ body, rawBody }) => ({ body, rawBody: rawBody?.toString() }));
  await server.ready();
});
afterAll(() => server.close());

const answerTo = async (payload: string) => {
  const answer = await server.inject({
    method: 'POST',
    url: '/',
    payload,
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.statusCode, body: answer.json<{ body: unknown; rawBody: string }>() };
};

test('lets others have their turns between the steps of a large body', async () => {
  const body = { text: `"${'ü'.repeat(MAX_BODY_BYTES)}\\` };
  const payload = JSON.stringify(body);
  expect((await answerTo(payload)).body).toEqual({ body, rawBody: payload });
  expect(turns).toBeGreaterThanOrEqual(2);
});

test('reads a small body at once', async () => {
  expect((await answerTo('{"a":1}')).body).toEqual({ body: { a: 1 }, rawBody: '{"a":1}' });
  expect(turns).toBeLessThan(2);
});

const brackets = (depth: number, text = '') => '['.repeat(depth) + text + ']'.repeat(depth);

test.each([
  ['20 brackets', brackets(20), 200],
  ['21 brackets', brackets(21), 500],
  ['brackets in a string', `"${brackets(30)}"`, 200],
  ['brackets after an escaped quote', `"\\"${brackets(30)}"`, 200],
  ['brackets after a string that ends with a backslash', brackets(15, `"\\\\",${brackets(10)}`), 500],
  ['a string without end', '{"a', 500],
])('counts %s', async (_, payload, status) => {
  expect((await answerTo(payload)).status).toBe(status);
});
