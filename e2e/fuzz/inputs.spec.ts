/**
 * Sends almost valid and hostile bodies to every call of the API. Bodies that the schema refuses get a 400 that names
 * the field and write nothing to the log; no body causes a 500 or a hang.
 *
 * covers: VAL-01, ERR-01
 */
import fc from 'fast-check';
import { contract, isRead, mailIntake, pushDoor, type Call } from '@quarterdeck/contract';
import * as inputs from '@quarterdeck/events/inputs';
import { startBackend, type Operator, type RunningBackend } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { exampleOf } from '../examples';
import { signed, type Issued } from '../mails/mail-world';
import { pushCalls, type Hook } from '../pushes/push-ground';
import { hookHeaders } from '../../testing/github/webhooks';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import { bodiesNear, depthOf, hostileTexts } from './hostile';
import { PATIENCE_MS, until } from '../../testing/patience';

/** `npm run faults -- --n 10 seed` tries ten seeds. */
const SEEDS = Array.from({ length: Number(process.env.FAULTS_N ?? 1) }, (_, nth) => 20261120 + nth);
/** Per seed: with all calls, more than 2,500 bodies. */
const CASES_A_CALL = 12;

/** Rate limited on purpose, or ends the caller's session. */
const APART = ['auth/link', 'auth/logout'];
const calls = contract.filter(({ method, path }) => method === 'POST' && !APART.includes(path));

const startsRun = ({ input }: Call): boolean => 'runId' in ((input as { shape?: object }).shape ?? {});

describe('hostile input', () => {
  let postgres: TestPostgres;
  let backend: RunningBackend;
  let operator: Operator;
  let sender: Issued;
  let hook: Hook;

  /** The bodies of this call are read only if a product has signed them. */
  const asProduct = (body: string) => ({
    'x-quarterdeck-token': sender.id,
    'x-quarterdeck-signature': signed(body, sender.secret),
  });
  const isPush = (path: string): boolean => path === `/api/${pushDoor.receive.path}`;
  const send = (path: string, body: string): Promise<Response> =>
    fetch(`${backend.url}${path}${isPush(path) ? `?service=${hook.service}` : ''}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'quarterdeck',
        cookie: operator.cookie,
        ...(path === `/api/${mailIntake.receive.path}` && asProduct(body)),
        ...(isPush(path) && hookHeaders('package', body, hook.secret)),
      },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  const events = async (): Promise<number> => {
    const { rows } = await backend.db.query<{ count: string }>('select count(*) from log.events');
    return Number(rows[0]?.count);
  };

  const running = async (): Promise<number> => {
    await backend.caughtUp();
    const { rows } = await backend.db.query<{ count: string }>(
      `select count(*) from read.runs where state in ('requested', 'running')`,
    );
    return Number(rows[0]?.count);
  };

  beforeAll(async () => {
    postgres = await startTestPostgres();
    backend = await startBackend({ databaseUrl: postgres.url });
    operator = await backend.signIn({ role: 'superadmin' });
    const { body: product } = await operator.post<{ id: string }>('product/insert', {
      data: { name: 'Mails' },
    });
    const { ask, hook: hookOf } = pushCalls(operator);
    const server = { ...fieldsOf('web-1', nowhere), privateKey: idleKey() };
    hook = await hookOf((await ask('server/insert', server)).id, []);
    sender = (await operator.post<Issued>('email/token/issue', { product: { id: product.id } })).body;
  });
  afterAll(async () => {
    await backend.close();
    await postgres.stop();
  });

  describe.each(calls.map((call) => [`/api/${call.path}`, call] as const))('%s', (path, call) => {
    const { input: schema } = call;
    test.each(SEEDS)(
      'refuses invalid bodies, names their fields, and never fails with a 500 (seed %i)',
      async (seed) => {
        const before = await events();
        let refused = 0;
        let accepted = 0;
        await fc.assert(
          fc.asyncProperty(bodiesNear(exampleOf(call)), async (body) => {
            const text = JSON.stringify(body);
            // The schema judges what arrives, which is the JSON form of the body, in the form of the contract.
            const arrived: unknown = JSON.parse(text) ?? {};
            const parsed = schema.safeParse(call.specified ? call.specified(arrived) : arrived);
            const answer = await send(path, text);
            const said = (await answer.json()) as { msg?: string; data?: Record<string, string> };
            const seen = `${text.slice(0, 400)} was answered by ${answer.status} ${JSON.stringify(said).slice(0, 400)}`;
            if (parsed.success) {
              if (answer.status === 200) accepted += 1;
              if (answer.status >= 500 && answer.status !== 502) throw new Error(seen);
              return;
            }
            refused += 1;
            if (depthOf(body) > 20) expect(said.msg).toBe('this input is nested too deeply');
            else if (JSON.stringify(said.data) !== JSON.stringify(inputs.fieldMessages(parsed.error)))
              throw new Error(seen);
            if (answer.status !== 400 || !said.msg) throw new Error(seen);
          }),
          { seed, numRuns: CASES_A_CALL, endOnFailure: true },
        );
        expect(refused).toBeGreaterThan(0);
        // A run has events of its own until it ends.
        if (startsRun(call) && accepted > 0) return until(async () => (await running()) === 0);
        // Reads and refused calls write nothing. A change writes one event, or none if nothing differs.
        const written = (await events()) - before;
        const [least, most] = [path.endsWith('/insert') ? accepted : 0, isRead(call) ? 0 : accepted];
        expect([written >= least, written <= most]).toEqual([true, true]);
      },
    );
  });

  test.each([
    ['text that is no JSON', '{"id":'],
    ['nothing at all', ''],
    ['a bare string', '"x"'],
    ['bytes', '\u0001\u0002'],
    ['keys a hundred thousand', `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['a nesting of ten thousand', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['a body of two megabytes', JSON.stringify({ alias: 'a'.repeat(2_000_000) })],
  ])('a body of %s is refused with a reason', async (_name, body) => {
    const answer = await send('/api/server/insert', body);
    expect([400, 413]).toContain(answer.status);
    expect((await answer.json()) as object).toHaveProperty('msg');
  });

  test.each(hostileTexts.map((text) => [text.slice(0, 24), text]))(
    'a search for %j is answered or refused',
    async (_n, text) => {
      const answer = await send('/api/history/list', JSON.stringify({ text }));
      expect([200, 201, 400]).toContain(answer.status);
    },
  );

  test.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x'])(
    'a body declared as %s is refused',
    async (type) => {
      const answer = await fetch(`${backend.url}/api/server/list`, {
        method: 'POST',
        headers: { 'content-type': type, 'x-requested-with': 'quarterdeck', cookie: operator.cookie },
        body: '{}',
      });
      expect([400, 415]).toContain(answer.status);
    },
  );
});
