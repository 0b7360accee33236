// covers: SHELL-09
import { randomUUID } from 'node:crypto';
import type { Operator } from '../../testing/backend';
import { connectSocket, type Change, type Listener } from '../../testing/socket';
import { flood, STALLED_FOR, stallOneClient } from './stalled-client';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from './world';
import { PATIENCE_MS } from '../../testing/patience';

let world: World;
let alice: Operator;
let workspace: string;
let privateKey: string;
const open: Listener[] = [];

const connect = async (
  who: Pick<Operator, 'url' | 'cookie'>,
  options?: Parameters<typeof connectSocket>[1],
): Promise<Listener> => {
  const listener = await connectSocket(who, options);
  open.push(listener);
  return listener;
};
/** A client that has seen the newest event. */
const upToDate = async (who: Operator): Promise<Listener> => {
  const listener = await connect(who);
  await listener.resume(await positionOf(who));
  return listener;
};
const positionOf = async (who: Operator): Promise<string> =>
  (await who.post('server/list')).headers.get('x-position') ?? '0';
const insert = (who: Operator, alias: string) =>
  who.post('server/insert', { ...fieldsOf(alias, nowhere), privateKey });

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  privateKey = idleKey();
  await insert(alice, 'first');
  const { rows } = await world.backend.db.query(`select workspace from read.servers`);
  workspace = rows[0].workspace;
});
afterEach(() => open.splice(0).forEach((listener) => listener.close()));
afterAll(async () => world?.end());

describe('the handshake', () => {
  test('is refused without a session', async () => {
    await expect(connectSocket({ url: alice.url, cookie: '' })).rejects.toThrow('unauthorized');
    await expect(connectSocket({ url: alice.url, cookie: 'qd_session=wrong' })).rejects.toThrow(
      'unauthorized',
    );
  });
  test('is refused from a page of another site, even with the cookie', async () => {
    const from = (origin: string) => connect(alice, { headers: { origin } });
    await expect(from('https://evil.example')).rejects.toThrow('unauthorized');
    await expect(from('null')).rejects.toThrow('unauthorized');
    expect((await from(alice.url)).socket.connected).toBe(true);
  });
  test('works by polling without websockets', async () => {
    const listener = await connect(alice, { transports: ['polling'] });
    await listener.resume(await positionOf(alice));
    await insert(alice, 'polled');
    await listener.until(() => listener.changes.length > 0);
    expect(listener.changes[0]?.type).toBe('ServerRegistered');
  });
});

describe('a push', () => {
  test('comes when its change can be read', async () => {
    const listener = await upToDate(alice);
    let shown: unknown;
    listener.socket.once('changes', async ({ events }: { events: Change[] }) => {
      const id = events[0]?.stream.replace('server-', '');
      shown = (await alice.post('server/detail', { id })).status;
    });
    await insert(alice, 'readable');
    await listener.until(() => shown !== undefined);
    expect(shown).toBe(200);
  });

  test('stays within the workspace and the role', async () => {
    const stranger = await upToDate(await world.backend.signIn({ workspace: 'elsewhere' }));
    const member = await upToDate(await world.backend.signIn({ role: 'member' }));
    const admin = await upToDate(alice);
    await insert(alice, 'private');
    await admin.until(() => admin.changes.some(({ type }) => type === 'ServerRegistered'));
    await new Promise((done) => setTimeout(done, 100));
    expect(stranger.changes).toEqual([]);
    // Members may know who else is there.
    expect(member.changes.filter(({ type }) => type !== 'PersonJoined')).toEqual([]);
  });

  test('comes once and in order during hundreds of changes', async () => {
    const listener = await upToDate(alice);
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => insert(alice, `many-${i}`)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await listener.until(() => listener.changes.length >= 300);
    const positions = listener.changes.map(({ position }) => Number(position));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(new Set(listener.changes.map(({ stream }) => stream))).toEqual(
      new Set(answers.map(({ body }) => `server-${String(body.id)}`)),
    );
  });
});

describe('a client that reconnects', () => {
  test('gets what it missed, and then live pushes', async () => {
    const listener = await upToDate(alice);
    await insert(alice, 'before');
    await listener.until(() => listener.changes.length === 1);
    const last = listener.changes[0]?.position ?? '';
    listener.socket.disconnect();
    await insert(alice, 'while-away-1');
    await insert(alice, 'while-away-2');
    listener.socket.connect();
    const answer = await listener.resume(last);
    expect(answer.events?.map(({ type }) => type)).toEqual(['ServerRegistered', 'ServerRegistered']);
    await insert(alice, 'after');
    await listener.until(() => listener.changes.length >= 4);
    expect(listener.changes).toHaveLength(4);
  });

  test('misses nothing and gets nothing twice while changes continue', async () => {
    for (let round = 0; round < 5; round++) {
      const listener = await connect(alice);
      const from = await positionOf(alice);
      const working = Promise.all(Array.from({ length: 40 }, (_, i) => insert(alice, `round-${round}-${i}`)));
      await new Promise((done) => setTimeout(done, round * 15));
      await listener.resume(from);
      await working;
      await listener.until(() => listener.changes.length >= 40);
      expect(listener.changes).toHaveLength(40);
      expect(new Set(listener.changes.map(({ position }) => position)).size).toBe(40);
    }
  });

  test('after too long has to fetch everything again', async () => {
    const from = await positionOf(alice);
    const to = await flood(world.backend, 1500, { of: workspace });
    await world.backend.resources.projections.waitFor(to, PATIENCE_MS);
    const listener = await connect(alice);
    const answer = await listener.resume(from);
    expect(answer).toMatchObject({ resync: true });
    expect(Number(answer.position)).toBeGreaterThanOrEqual(Number(to));
    await insert(alice, 'after-resync');
    await listener.until(() => listener.changes.length === 1);
  });

  test('gets its own changes from further back than the window, if others were busy', async () => {
    const from = await positionOf(alice);
    await insert(alice, 'among-many');
    const to = await flood(world.backend, 9000, { of: randomUUID() });
    await world.backend.resources.projections.waitFor(to, PATIENCE_MS);
    const listener = await connect(alice);
    const answer = await listener.resume(from);
    expect(answer.events?.map(({ type }) => type)).toEqual(['ServerRegistered']);
    expect(Number(answer.position)).toBeGreaterThanOrEqual(Number(to));
  });

  test('has to fetch everything again if the log was restored to an earlier state', async () => {
    const listener = await connect(alice);
    expect(await listener.resume('999999999')).toMatchObject({ resync: true });
  });

  test('is answered by a back end that has just started', async () => {
    const from = await positionOf(alice);
    await insert(alice, 'before-start');
    const second = await world.another();
    const listener = await connect({ url: second.url, cookie: alice.cookie });
    expect((await listener.resume(from)).events?.map(({ type }) => type)).toEqual(['ServerRegistered']);
  });

  test('gets an error for an invalid message', async () => {
    const { socket } = await connect(alice);
    for (const [message, input] of [
      ['resume', { after: 'x' }],
      ['resume', undefined],
      ['watch', { run: 'x' }],
      ['watch', { run: randomUUID(), after: -1 }],
      ['unwatch', []],
    ] as const)
      expect(await socket.timeout(5000).emitWithAck(message, input)).toEqual({
        error: 'this message cannot be understood',
      });
  });
});

describe('an ended session', () => {
  test('closes its sockets at once, in every process', async () => {
    const second = await world.another();
    const carol = await world.backend.signIn({ email: 'carol@example.org' });
    const here = await upToDate(carol);
    const there = await upToDate({ ...carol, url: second.url });
    await carol.post('auth/logout');
    // By notification, not by the check that runs every 15 s.
    await here.until(() => here.ended && !here.socket.connected);
    await there.until(() => there.ended && !there.socket.connected);
  });
});

describe('a client that reads nothing', () => {
  test('is dropped, does not delay the others, and is up to date again afterwards', async () => {
    const { stalled, healthy, dropped, grownBy } = await stallOneClient(world.backend, alice);
    expect(healthy).toEqual([{ heard: STALLED_FOR, inOrder: true }]);
    expect(dropped).toBe(1);
    expect(grownBy).toBeLessThan(600 * 1024 * 1024);
    expect(stalled).toEqual({ drops: 1, exact: true });
  });
});
