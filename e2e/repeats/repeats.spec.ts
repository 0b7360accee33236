/**
 * Every call that changes something, repeated with its Idempotency-Key after the answer was lost: it gets the same
 * answer, and nothing is recorded again.
 */
import { randomUUID } from 'node:crypto';
import { contract, isRead } from '@quarterdeck/contract';
import { parentsFirst } from '../backend/plain-nouns';
import { openWorld, type World } from '../backend/world';
import { startSshd } from '../peers/sshd';
import { startToldServer } from '../peers/told-server';
import { addPlain, addServer, apart, bodies, type Ground } from './calls';

const signInBy = (provider: string): Record<string, string> => ({
  [`${provider}_CLIENT_ID`]: 'id',
  [`${provider}_CLIENT_SECRET`]: 'secret',
});

describe('a call that is repeated because its answer was lost', () => {
  let world: World;
  let ground: Ground;

  beforeAll(async () => {
    const [sshd, delivery] = await Promise.all([startSshd(), startToldServer()]);
    world = await openWorld({
      env: { OUTBOUND_ALLOW: '127.0.0.0/8', ...signInBy('GITHUB'), ...signInBy('GOOGLE') },
    });
    const { backend, postgres } = world;
    const workspace = 'repeats';
    const who = await backend.signIn({ workspace, role: 'superadmin', email: 'ada@example.org' });
    ground = { backend, who, workspace, ids: {}, postgres, sshd, delivery };
    ground.ids.server = await addServer(ground);
    for (const noun of parentsFirst) ground.ids[noun.category] = await addPlain(ground, noun);
  });
  afterAll(async () => {
    await world?.end();
    await Promise.all([ground?.sshd.stop(), ground?.delivery.stop()]);
  });

  const send = async (id: string, body: object, key: string) => {
    const call = contract.find((one) => one.id === id)!;
    const headers = { 'idempotency-key': key, 'x-requested-with': 'test' };
    const { who } = ground;
    const answer =
      call.method === 'GET' ? await who.get(call.path, headers) : await who.post(call.path, body, headers);
    return { status: answer.status, body: answer.body, request: answer.headers.get('x-correlation-id') };
  };
  const recorded = async (request: string | null): Promise<string[]> => {
    const { rows } = await world.backend.db.query<{ stream: string; type: string }>(
      `select stream, type from log.events where meta->>'correlationId' = $1 and stream not like 'run-%'`,
      [request],
    );
    return rows.map(({ stream, type }) => `${type} ${stream}`);
  };

  it.each(Object.keys(bodies))('%s gets the same answer, and has its effect once', async (id) => {
    const body = await bodies[id]!(ground);
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

  it('is answered although a crash left the claim of its first attempt', async () => {
    const body = (await bodies['domain.delete']!(ground)) as { id: string };
    const key = randomUUID();
    const first = await send('domain.delete', body, key);
    expect(first.status).toBe(200);
    await world.backend.db.query('delete from app.command_receipts');
    const claim = ['changing run', `${ground.workspace} domain-${body.id}`, randomUUID()];
    await world.backend.db.query('insert into app.claims (scope, key, holder) values ($1, $2, $3)', claim);
    expect(await send('domain.delete', body, key)).toEqual(first);
  });

  it('is walked for every call that changes something, or set apart with a reason', () => {
    const changing = contract.filter((call) => !isRead(call)).map(({ id }) => id);
    expect([...Object.keys(bodies), ...Object.keys(apart)].sort()).toEqual(changing.sort());
  });
});
