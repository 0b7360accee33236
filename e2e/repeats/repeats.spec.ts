/**
 * Every call that changes something, repeated with its Idempotency-Key after the answer was lost: it gets the same
 * answer, and nothing is recorded again.
 */
import { randomUUID } from 'node:crypto';
import { contract, isRead, requestTo } from '@quarterdeck/contract';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { startSshd } from '../../testing/sshd';
import { startToldServer } from '../../testing/told-server';
import type { Json } from '../fuzz/hostile';
import { callOf, type Body } from '../things';
import { apart } from './apart';
import { addThing, bodyFor, ended, makerOn, type Ground } from './ground';

const changing = contract.filter((call) => !isRead(call));
const repeated = changing.filter(({ id }) => !apart.includes(id));

const signInBy = (provider: string): Record<string, string> => ({
  [`${provider}_CLIENT_ID`]: 'id',
  [`${provider}_CLIENT_SECRET`]: 'secret',
});

describe('a call that is repeated because its answer was lost', () => {
  let world: World;
  let ground: Ground;
  let server: string;

  beforeAll(async () => {
    const [sshd, delivery] = await Promise.all([startSshd(), startToldServer()]);
    world = await openWorld({
      env: { OUTBOUND_ALLOW: '127.0.0.0/8', ...signInBy('GITHUB'), ...signInBy('GOOGLE') },
    });
    const { backend, postgres } = world;
    const workspace = 'repeats';
    const who = await backend.signIn({ workspace, role: 'superadmin', email: 'ada@example.org' });
    ground = { backend, who, workspace, postgres, sshd, delivery };
    server = await addThing(ground, 'server');
  });
  afterAll(async () => {
    await world?.end();
    await Promise.all([ground?.sshd.stop(), ground?.delivery.stop()]);
  });

  const send = async (id: string, body: object, key: string) => {
    const to = requestTo(callOf(id), body);
    const headers = { 'idempotency-key': key, 'x-requested-with': 'test' };
    const { who } = ground;
    const answer = to.body ? await who.post(to.path, to.body, headers) : await who.get(to.path, headers);
    return { status: answer.status, body: answer.body, request: answer.headers.get('x-correlation-id') };
  };
  const recorded = async (request: string | null): Promise<string[]> => {
    const { rows } = await world.backend.db.query<{ stream: string; type: string }>(
      `select stream, type from log.events where meta->>'correlationId' = $1 and stream not like 'run-%'
       order by position`,
      [request],
    );
    return rows.map(({ stream, type }) => `${type} ${stream}`);
  };

  it.each(repeated.map(({ id }) => id))('%s gets the same answer, and has its effect once', async (id) => {
    const body = await bodyFor(callOf(id), ground);
    const key = randomUUID();
    const first = await send(id, body, key);
    expect([first.status, first.status === 200 || first.body]).toEqual([200, true]);
    const events = await recorded(first.request);
    await world.backend.db.query('delete from app.command_receipts');
    expect(await send(id, body, key)).toEqual(first);
    await world.backend.caughtUp();
    // A run that the call began may have recorded more meanwhile.
    expect((await recorded(first.request)).filter((event) => events.includes(event))).toEqual(events);
  });

  /** Sends a call, and sends it again after its answer was lost and `meanwhile` has happened. */
  const expectSameAnswer = async (
    [id, body]: readonly [id: string, body: Body],
    meanwhile: (answered: Body) => Promise<unknown>,
  ) => {
    const key = randomUUID();
    const first = await send(id, body, key);
    expect([first.status, first.status === 200 || first.body]).toEqual([200, true]);
    await meanwhile(first.body as Body);
    await world.backend.db.query('delete from app.command_receipts');
    expect(await send(id, body, key)).toEqual(first);
  };
  const done = async (id: string, body: Body): Promise<Body> => {
    const answer = await send(id, body, randomUUID());
    expect([answer.status, answer.body]).toEqual([200, answer.body]);
    return answer.body as Body;
  };
  /** As another change does while it begins, or a crash that left its claim. */
  const claimed = async (thing: string): Promise<void> => {
    const { rows } = await world.backend.db.query<{ id: string }>(
      'select id from read.workspaces where name = $1',
      [ground.workspace],
    );
    const claim = ['changing run', `${rows[0]?.id} ${thing}`, randomUUID()];
    // A run that has just ended may not have released its own yet.
    await world.backend.db.query(
      `insert into app.claims (scope, key, holder) values ($1, $2, $3)
       on conflict (scope, key) do update set holder = excluded.holder`,
      claim,
    );
  };

  it('is answered although a crash left the claim of its first attempt', async () => {
    const body = await bodyFor(callOf('domain.delete'), ground);
    await expectSameAnswer(['domain.delete', body], () => claimed(`domain-${body['id'] as string}`));
  });

  const named: Record<string, (name: string) => Body> = {
    server: (alias) => ({ ...fieldsOf(alias, nowhere), privateKey: idleKey() }),
    script: (name) => ({ name, body: 'df -h', changes: false, timeoutSeconds: 30 }),
    domain: (name) => ({ serverName: `${name}.localhost`, server: { id: server } }),
  };
  const renamed = (noun: string, id: Json, name: string): Body => {
    const { privateKey: _, ...data } = named[noun]!(name);
    return noun === 'domain' ? { filters: { id }, data } : { id, data, revision: 0 };
  };
  /** A claim of an hour is taken over from a thing that does not have the name. */
  const pass = (hours: number) =>
    world.backend.db.query('update app.claims set claimed_at = claimed_at - make_interval(hours => $1)', [
      hours,
    ]);

  it.each(Object.keys(named).flatMap((noun) => [0, 1].map((hours) => [noun, hours] as const)))(
    'of a %s is answered although another one has its name by now, for %i hours, and keeps it',
    async (noun, hours) => {
      const insert = [`${noun}.insert`, named[noun]!(`wanted-${hours}`)] as const;
      await expectSameAnswer(insert, async ({ id }) => {
        await done(`${noun}.update`, renamed(noun, id ?? null, `left-${hours}`));
        await done(...insert);
        await pass(hours);
      });
      await pass(1);
      const third = await send(...insert, randomUUID());
      expect([third.status, third.body]).toMatchObject([400, { msg: expect.any(String) }]);
    },
  );

  it('that began a run is answered although its server is gone and something else changes there', async () => {
    const id = await addThing(ground, 'server');
    await expectSameAnswer(['server.init', { id }], async ({ runId }) => {
      await ended(makerOn(ground), runId as string);
      await done('server.delete', { id });
      await claimed(`server-${id}`);
    });
  });

  it('that began a run again is answered although something else changes its server by now', async () => {
    const id = await addThing(ground, 'server');
    const runId = (await done('server.init', { id }))['runId'] as string;
    await ended(makerOn(ground), runId);
    await expectSameAnswer(['run.retry', { id: runId }], async () => {
      await done('run.cancel', { id: runId });
      await ended(makerOn(ground), runId);
      await claimed(`server-${id}`);
    });
  });

  it('is every call that changes something, unless it is set apart', () => {
    const ids = changing.map(({ id }) => id);
    expect(apart.filter((id) => !ids.includes(id))).toEqual([]);
    expect(repeated.length).toBeGreaterThan(110);
  });
});
