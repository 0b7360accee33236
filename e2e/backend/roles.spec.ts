// covers: SHELL-09
import type { Role } from '@quarterdeck/events';
import type { Operator } from '../../testing/backend';
import { connectSocket, type Listener } from '../../testing/socket';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from './world';

const email = 'mia@example.org';

let world: World;
let ada: Operator;
const open: Listener[] = [];

beforeAll(async () => {
  world = await openWorld();
  ada = await world.backend.signIn({ email: 'ada@example.org' });
});
afterEach(() => open.splice(0).forEach((listener) => listener.close()));
afterAll(() => world?.end());

/** A console that reconnects by itself, like the real one. */
const openConsole = async (who: Pick<Operator, 'url' | 'cookie'>) => {
  const listener = await connectSocket(who);
  open.push(listener);
  const seen = { listener, closed: 0 };
  listener.socket.on('disconnect', () => {
    seen.closed += 1;
    listener.socket.connect();
  });
  await listener.resume((await ada.post('server/list')).headers.get('x-position') ?? '0');
  return seen;
};

/** Changes the role as an administrator does on the command line. */
const become = (role: Role): Promise<string> => world.backend.signInLink({ email, role });

const hears = async ({ listener }: { listener: Listener }, alias: string): Promise<boolean> => {
  const position = (await ada.post('server/list')).headers.get('x-position') ?? '0';
  await listener.resume(position);
  const before = listener.changes.length;
  await ada.post('server/insert', { ...fieldsOf(alias, nowhere), privateKey: idleKey() });
  await listener.pushed((await ada.post('server/list')).headers.get('x-position') ?? '0');
  return listener.changes.slice(before).some(({ type }) => type === 'ServerRegistered');
};

test('a changed role reaches open sockets with its event, in every process', async () => {
  const second = await world.another();
  const mia = await world.backend.signIn({ email, role: 'member' });
  const bystander = await openConsole(ada);
  const here = await openConsole(mia);
  const there = await openConsole({ ...mia, url: second.url });
  expect(await hears(here, 'as-member')).toBe(false);
  for (const role of ['admin', 'member', 'superadmin'] as const) {
    const before = [here.closed, there.closed];
    await become(role);
    // The sweep for lost events runs every fifteen seconds; this must not depend on it.
    await here.listener.until(() => here.closed > (before[0] ?? 0) && here.listener.socket.connected);
    await there.listener.until(() => there.closed > (before[1] ?? 0) && there.listener.socket.connected);
    for (const one of [here, there])
      expect([role, await hears(one, `${role}-${one === here ? 'here' : 'there'}`)]).toEqual([
        role,
        role !== 'member',
      ]);
  }
  expect(bystander.closed).toBe(0);
});

test('the same role again closes nothing', async () => {
  const noa = 'noa@example.org';
  const who = await world.backend.signIn({ email: noa, role: 'admin' });
  const seen = await openConsole(who);
  await world.backend.signInLink({ email: noa, role: 'admin' });
  expect(await hears(seen, 'again')).toBe(true);
  expect(seen.closed).toBe(0);
});
