/**
 * Which role gets which event: each is pushed to the roles in `placement`, in its own workspace, and to nobody else. A
 * new event is part of this test as soon as it has a sample.
 *
 * covers: AUTH-06
 */
import { placement, type EventType, type Role } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { v7 as uuidv7 } from 'uuid';
import { mayActAs, ownMeta } from '../../apps/backend/src/platform/sessions/session';
import { readSamples } from '../../libs/events/samples/read-samples';
import { connectSocket } from '../../testing/socket';
import { openWorld, type World } from '../backend/world';

const roles = ['member', 'admin', 'superadmin'] as const satisfies readonly Role[];
const types = Object.keys(placement) as EventType[];
const samples = readSamples();
const sampleOf = (type: EventType): unknown => samples.findLast((sample) => sample.type === type)?.data;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.end());

test('every event reaches the roles that it is for, only in its workspace', async () => {
  const { store } = world.backend.resources;
  const [ours, theirs] = [`ours-${uuidv7()}`, `theirs-${uuidv7()}`];
  const listeners = await Promise.all(
    [ours, theirs].flatMap((workspace) =>
      roles.map(async (role) => {
        const who = await world.backend.signIn({
          workspace,
          role,
          email: `${role}@${workspace}.example.org`,
        });
        return { workspace, role, who, listener: await connectSocket(who) };
      }),
    ),
  );
  const { body } = await listeners[0]!.who.get<{ instance: { uuid: string } }>('session');
  const start = await store.head();
  for (const { listener } of listeners) await listener.resume(start);

  for (const type of types) {
    // A category that no read model knows: pushes do not depend on read models.
    const { actor, workspace, correlationId, causationId, at } = ownMeta('cli', body.instance.uuid);
    const v = String(catalogue[type].version);
    const meta = { id: uuidv7(), at, actor, workspace, correlationId, causationId, v };
    await store.append(`sample-${uuidv7()}`, [{ type, data: sampleOf(type), meta }], 'no_stream');
  }
  const heard = (one: (typeof listeners)[number]) =>
    one.listener.changes.filter(({ stream }) => stream.startsWith('sample-')).map(({ type }) => type);
  const superadmin = listeners.find(({ role, workspace }) => role === 'superadmin' && workspace === ours)!;
  await superadmin.listener.until(() => heard(superadmin).length === types.length);
  const end = await store.head();
  for (const { listener } of listeners) await listener.pushed(end);

  for (const one of listeners) {
    const right =
      one.workspace === ours ? types.filter((type) => mayActAs(one.role, placement[type].audience)) : [];
    expect([one.role, one.workspace === ours, heard(one)]).toEqual([one.role, one.workspace === ours, right]);
    one.listener.close();
  }
});
