import { randomUUID } from 'node:crypto';
import { startBackend, type Operator, type RunningBackend } from '../../../../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { effects, TrialModule } from './testing-routes';

describe('an Idempotency-Key', () => {
  let postgres: TestPostgres;
  const backends: RunningBackend[] = [];
  let someone: Operator;
  let other: Operator;

  beforeAll(async () => {
    postgres = await startTestPostgres();
    const options = { databaseUrl: postgres.url, modules: [TrialModule] };
    backends.push(await startBackend(options), await startBackend(options));
    someone = await backends[0]!.signIn();
    other = await backends[0]!.signIn({ email: 'other@example.org' });
  });
  beforeEach(() => void effects.splice(0));
  afterAll(async () => {
    for (const backend of backends) await backend.close();
    await postgres.stop();
  });

  const send = (key: string, body: object, who = someone, path = 'trial/effect') =>
    who.post(path, body, { 'idempotency-key': key });

  it('turns 100 equal concurrent calls to two back ends into one effect with 100 equal answers', async () => {
    const key = randomUUID();
    const elsewhere = `${backends[1]!.url}/api/trial/effect`;
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        if (i % 2 === 0) return send(key, { name: 'x' });
        const response = await fetch(elsewhere, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-requested-with': 'test',
            'idempotency-key': key,
            cookie: someone.cookie,
          },
          body: JSON.stringify({ name: 'x' }),
        });
        return { status: response.status, headers: response.headers, body: await response.json() };
      }),
    );
    expect(effects).toHaveLength(1);
    expect(effects[0]?.keyed).toBe(true);
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))).toEqual(
      new Set(['200 {"name":"x","effect":1}']),
    );
    expect(new Set(answers.map(({ headers }) => headers.get('x-position')))).toEqual(new Set(['1']));
  });

  it('of another call is a 422', async () => {
    const key = randomUUID();
    expect((await send(key, { name: 'x' })).status).toBe(200);
    expect((await send(key, { name: 'y' })).status).toBe(422);
    expect((await send(key, { name: 'x' }, someone, 'trial/echo')).status).toBe(422);
    expect(effects).toHaveLength(1);
  });

  it("of one person is independent of another person's", async () => {
    const key = randomUUID();
    await send(key, { name: 'x' });
    expect((await send(key, { name: 'x' }, other)).body).toEqual({ name: 'x', effect: 2 });
    expect(effects[0]?.commandId).not.toBe(effects[1]?.commandId);
  });

  it('of a failed call can be tried again, with the same command id', async () => {
    const key = randomUUID();
    expect((await send(key, { name: 'fails' })).status).toBe(503);
    expect((await send(key, { name: 'fails' })).status).toBe(503);
    expect((await send(key, { name: 'x' })).status).toBe(200);
  });

  it('is refused by name if it is not a uuid', async () => {
    const answer = await send('no-uuid', { name: 'x' });
    expect(answer).toMatchObject({ status: 400, body: { data: { 'idempotency-key': 'uuid invalid' } } });
  });

  it('stores no secret, neither of the call nor of its answer', async () => {
    await send(randomUUID(), { name: 'canary-in-the-call' });
    const key = randomUUID();
    await send(key, {}, someone, 'trial/secret');
    await send(key, {}, someone, 'trial/secret');
    const { rows } = await backends[0]!.db.query(
      'select encode(request, $1) as request, key from app.command_receipts',
      ['escape'],
    );
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect(rows.map((row: { key: string }) => row.key)).not.toContain(key);
  });

  it.each([
    ['', '-1 second'],
    [', even if the clock was set back meanwhile', '1 hour'],
  ])('is taken over from a dead worker%s', async (_when, until) => {
    const key = randomUUID();
    await send(key, { name: 'x' });
    await backends[0]!.db.query(
      `update app.command_receipts set status = null, answer = null, working_until = now() + $2::interval
       where key = $1`,
      [key, until],
    );
    expect((await send(key, { name: 'x' })).status).toBe(200);
    expect(effects).toHaveLength(2);
    expect(effects[0]?.commandId).toBe(effects[1]?.commandId);
  });
});
