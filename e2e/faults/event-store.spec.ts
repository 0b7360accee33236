// covers: SHELL-09
import { randomUUID } from 'node:crypto';
import type { HistoryView, ServerView } from '@quarterdeck/projections';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import type { Operator } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';
import { connectSocket } from '../../testing/socket';
import { fieldsOf, idleKey, nowhere, openWorld, registerAt, type World } from '../backend/world';
import { pause } from '../../testing/patience';
import { budget, fault, within } from './fault';

let eventStoreDb: EventStoreDbServer;
let sshd: Sshd;
let world: World;
let who: Operator;
const key = idleKey();

beforeAll(async () => {
  [eventStoreDb, sshd] = await Promise.all([startEventStoreDb(), startSshd()]);
  world = await openWorld({ env: { EVENT_STORE_URL: eventStoreDb.url } });
  who = await world.backend.signIn();
});
afterAll(async () => {
  await world?.end();
  await eventStoreDb?.stop();
  await sshd?.stop();
});

const insert = (alias: string = randomUUID()) =>
  who.post<{ id: string; msg?: string }>('server/insert', { ...fieldsOf(alias, nowhere), privateKey: key });

describe('with its log in EventStoreDB', () => {
  test('registers, contacts and commands a server, shows it in the history, and verifies', async () => {
    const from = (await who.post('server/list')).headers.get('x-position') ?? '0';
    const socket = await connectSocket(who);
    await socket.resume(from);
    const id = await registerAt(who, sshd, 'web-1');
    const answer = await who.post('server/execCmd', { id, cmdType: 1 });
    expect(answer.body).toMatchObject({ state: 'succeeded', exitCode: 0 });
    const view = (await who.post<ServerView>('server/detail', { id })).body;
    expect(view.hostKey?.fingerprint).toBe(sshd.hostKey.fingerprint);
    const { events } = (await who.post<{ events: HistoryView[] }>('history/list', {})).body;
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['ServerRegistered', 'ServerHostKeyPinned', 'RunSucceeded']),
    );
    await socket.until(() => socket.changes.some(({ type }) => type === 'RunSucceeded'));
    socket.close();
    const results = await world.backend.resources.projections.verify();
    for (const result of results) expect(result).toMatchObject({ ok: true });
  });

  test('lets one of fifty editors of one version win', async () => {
    const { body } = await insert();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, editor) =>
        who.post('server/update', {
          id: body.id,
          data: fieldsOf(`${body.id}-${editor}`, nowhere),
          revision: 0,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });
});

fault({
  fault: 'the network to the event store cut for a while',
  must: 'reads go on, writes are refused with 503 within 3 s, nothing acknowledged is lost, pushed within 10 s after',
  share: 0.2,
  trial: async (turn) => {
    const acknowledged: string[] = [];
    const from = (await who.post('server/list')).headers.get('x-position') ?? '0';
    const socket = await connectSocket(who);
    await socket.resume(from);
    for (let i = 0; i < 5; i++) acknowledged.push((await insert()).body.id);
    await eventStoreDb.halt();
    for (let i = 0; i < 3; i++) {
      const began = Date.now();
      const refused = await insert();
      expect([refused.status, refused.headers.get('retry-after') !== null]).toEqual([503, true]);
      expect(Date.now() - began).toBeLessThan(budget(3_000));
      expect((await who.post('server/list')).status).toBe(200);
    }
    expect((await who.get('health/live')).status).toBe(200);
    await pause(200 + (turn % 5) * 200);
    await eventStoreDb.resume();
    const restored = Date.now();
    await within(10_000, 'a write', async () => {
      const { status, body } = await insert();
      if (status === 200) acknowledged.push(body.id);
      return status === 200;
    });
    await within(10_000, 'the pushes', () =>
      acknowledged.every((id) => socket.changes.some(({ stream }) => stream === `server-${id}`)),
    );
    const took = Date.now() - restored;
    const there = new Set((await who.post<ServerView[]>('server/list')).body.map(({ id }) => id));
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
    socket.close();
    return `whole again after ${String(took).padStart(4)} ms`;
  },
});

fault({
  fault: 'the process of the event store frozen for a while',
  must: 'reads go on, writes are refused with 503 within 10 s, nothing acknowledged is lost, written again within 3 s after',
  share: 0.1,
  trial: async () => {
    const { id } = (await insert()).body;
    eventStoreDb.freeze();
    const began = Date.now();
    const refused = await Promise.all([insert(), insert()]);
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after') !== null])).toEqual([
      [503, true],
      [503, true],
    ]);
    expect(Date.now() - began).toBeLessThan(budget(10_000));
    expect((await who.post('server/list')).status).toBe(200);
    expect((await who.get('health/ready')).status).toBe(503);
    eventStoreDb.thaw();
    const took = await within(3_000, 'a write', async () => (await insert()).status === 200);
    const servers = (await who.post<ServerView[]>('server/list')).body;
    expect(servers.filter((server) => server.id === id)).toHaveLength(1);
    return `written again after ${String(took).padStart(4)} ms`;
  },
});
