import { startBackend, type Operator, type RunningBackend } from '../../../../../testing/backend';
import { operator } from '../../../../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { TrialModule } from './testing-routes';
import { until } from '../../../../../testing/patience';

describe('failures as answers', () => {
  let postgres: TestPostgres;
  let backend: RunningBackend;
  let member: Operator;
  let nobody: Operator;

  beforeAll(async () => {
    postgres = await startTestPostgres({ own: true });
    backend = await startBackend({ databaseUrl: postgres.url, modules: [TrialModule] });
    nobody = operator(backend.url);
    member = await backend.signIn({ role: 'member' });
  });
  afterAll(async () => {
    await backend.close();
    await postgres.stop();
  });

  // covers: ERR-01
  it.each([
    ['invalid', 400, { msg: 'not like this', data: { alias: 'not like this' } }],
    ['unknown', 404, { msg: 'server could not be found' }],
    ['conflict', 409, { msg: 'somebody else changed it', current: { id: '1' } }],
    ['upstream', 502, { msg: 'the host did not answer', code: 'timeout' }],
    ['revision', 409, { msg: 'somebody else changed this in the meantime' }],
    [
      'deleted',
      409,
      {
        msg: 'stream server-1 was deleted for good in the event log: restore a backup of the log from before that',
      },
    ],
    [
      'cut',
      409,
      {
        msg: 'nothing was recorded: stream server-1 was cut or deleted in the event log ($maxCount 5): give it its events back, or restore a backup of the log from before that',
      },
    ],
    [
      'taken',
      409,
      {
        msg: 'nothing was recorded, please try again: the id of this ServerRenamed is taken by an event elsewhere in the log',
      },
    ],
    [
      'forbidden',
      503,
      {
        msg: 'the event log refuses the user that the console signs in with: correct EVENT_STORE_URL, or give that user its rights back',
      },
    ],
    ['integer', 400, { msg: 'this input cannot be stored' }],
    ['unique', 409, { msg: 'this conflicts with existing data' }],
  ])('of the kind %s are a %i', async (how, status, body) => {
    const answer = await nobody.get(`trial/fail/${how}`);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(body);
  });

  it.each([
    ['store', 'the event log'],
    ['shutdown', 'the database'],
    ['refused', 'the database'],
  ])('of the log or the database (%s) are a 503 with Retry-After that names %s', async (how, what) => {
    const answer = await nobody.get(`trial/fail/${how}`);
    expect(answer.status).toBe(503);
    expect(answer.body.msg).toBe(`${what} cannot be reached at the moment, please try again`);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(answer.body)).not.toContain('canary');
  });

  it("are a 500 with the log's correlation id and nothing else if they are unforeseen", async () => {
    const answer = await nobody.get('trial/fail/bug');
    const correlationId = answer.headers.get('x-correlation-id') ?? '';
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ msg: 'something went wrong', correlationId });
    const line = backend.logs.find((entry) => entry.includes('canary of a bug')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ correlationId, level: 'error', err: { type: 'TypeError' } });
  });

  it.each([
    ['not JSON', '{"name":', 400, { msg: 'could not parse request to json' }],
    [
      'nested too deeply',
      `${'['.repeat(50)}${']'.repeat(50)}`,
      400,
      { msg: 'this input is nested too deeply' },
    ],
    ['too large', JSON.stringify({ name: 'x'.repeat(300_000) }), 413, { msg: 'this is too large' }],
    ['empty', '', 400, { msg: 'This field is required', data: { name: 'This field is required' } }],
    ['a poisoned prototype', '{"name":"x","__proto__":{"a":1}}', 400, { data: { __proto__: 1 } }],
  ])('of a body that is %s say so', async (_what, body, status, expected) => {
    const answer = await member.post('trial/echo', body);
    expect(answer.status).toBe(status);
    if (status !== 400 || !body.includes('__proto__')) expect(answer.body).toEqual(expected);
    else expect(Object.keys(answer.body.data as object)).toEqual(['__proto__']);
  });

  // covers: VAL-01
  it('of input name each field with its first message', async () => {
    const answer = await member.post('trial/echo', { name: '', count: -1, more: true });
    expect(answer.status).toBe(400);
    expect(answer.body.data).toEqual({
      name: 'This field is required',
      count: 'negative numbers are not accepted',
      more: 'this key cannot be included',
    });
  });

  it('of media types, unknown calls and undecodable addresses have our own messages', async () => {
    expect(
      await member.post('trial/echo', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    ).toMatchObject({
      status: 415,
      body: { msg: 'JSON is expected' },
    });
    expect(await nobody.get('nowhere')).toMatchObject({
      status: 404,
      body: { msg: 'this call could not be found' },
    });
    expect(await nobody.get('%zz')).toMatchObject({
      status: 400,
      body: { msg: 'this address is not valid' },
    });
  });

  it('of a full disk of an external database say so, with its host', async () => {
    const answer = await nobody.get('trial/fail/full');
    expect(answer.status).toBe(503);
    const place = `the database server 127.0.0.1:${new URL(postgres.url).port}`;
    expect(answer.body).toEqual({ msg: `disk full: nothing can be saved until there is space at ${place}` });
  });

  it('do not come before a call has waited more than 3 s for a connection', async () => {
    const taken = await Promise.all(
      Array.from({ length: backend.db.options.max }, () => backend.db.connect()),
    );
    const answer = member.post('auth/link', { code: 'x' });
    await new Promise((done) => setTimeout(done, 3_200));
    for (const connection of taken) connection.release();
    expect((await answer).status).toBe(401);
  });

  it('of Postgres itself are a 503 until it is back, and calls continue then', async () => {
    const stopped = postgres.restart('immediate');
    const statuses = new Set<number>();
    let done = false;
    void stopped.finally(() => (done = true));
    while (!done) {
      const answer = await member.post('auth/link', { code: 'x' });
      statuses.add(answer.status);
      if (answer.status === 503) expect(answer.headers.get('retry-after')).not.toBeNull();
    }
    await stopped;
    expect([...statuses].filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
    expect((await nobody.get('health/live')).status).toBe(200);
    await until(async () => (await nobody.get('health/ready')).status === 200);
    expect((await member.post('trial/echo', { name: 'x' })).status).toBe(200);
  });
});
