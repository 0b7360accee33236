// covers: SHELL-09, SRV-03
import { randomUUID } from 'node:crypto';
import type { ServerView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';
import { connectSocket } from '../../testing/socket';
import { STALLED_FOR, stallOneClient } from '../backend/stalled-client';
import { fieldsOf, idleKey, nowhere, openWorld, registerAt, type World } from '../backend/world';
import { pause } from '../../testing/patience';
import { fault, moment } from './fault';

let world: World;
let sshd: Sshd;
let who: Operator;
const key = idleKey();

beforeAll(async () => {
  [world, sshd] = await Promise.all([openWorld(), startSshd()]);
  who = await world.backend.signIn();
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

const register = async (alias: string = randomUUID()): Promise<string> => {
  const { status, body } = await who.post<{ id: string }>('server/insert', {
    ...fieldsOf(alias, nowhere),
    privateKey: key,
  });
  expect(status).toBe(200);
  return body.id;
};

const eventsOf = async (stream: string): Promise<string[]> =>
  (await world.backend.resources.store.readStream(stream)).map(({ type }) => type);

fault({
  fault: 'the same command a hundred times at once',
  must: 'one effect, a hundred equal answers; another payload under its key is refused',
  trial: async () => {
    const id = await registerAt(who, sshd);
    const runId = randomUUID();
    const runs = await Promise.all(
      Array.from({ length: 100 }, () => who.post('server/execCmd', { id, cmdType: 1, runId })),
    );
    expect(new Set(runs.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect((await eventsOf(`run-${runId}`)).filter((type) => type === 'RunStepStarted')).toHaveLength(1);

    const again = { 'idempotency-key': randomUUID() };
    const fields = { ...fieldsOf(randomUUID(), nowhere), privateKey: key };
    const inserts = await Promise.all(
      Array.from({ length: 100 }, () => who.post('server/insert', fields, again)),
    );
    expect(new Set(inserts.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(inserts[0]?.status).toBe(200);
    const { body } = await who.post<ServerView[]>('server/list');
    expect(body.filter(({ alias }) => alias === fields.alias)).toHaveLength(1);
    expect((await who.post('server/insert', { ...fields, alias: 'other' }, again)).status).toBe(422);
  },
});

fault({
  fault: 'fifty editors of one version at once',
  must: 'one wins, 49 are told with what is there now, no change is lost',
  trial: async () => {
    const id = await register();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, editor) => {
        const data = fieldsOf(`${id}-${editor}`, nowhere);
        return who.post<{ current?: ServerView }>('server/update', { id, data, revision: 0 });
      }),
    );
    const refused = answers.filter(({ status }) => status === 409);
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([1, 49]);
    const { body } = await who.post<ServerView>('server/detail', { id });
    for (const answer of refused)
      expect(answer.body.current).toMatchObject({ alias: body.alias, revision: body.revision });
    expect(await eventsOf(`server-${id}`)).toEqual(['ServerRegistered', 'ServerRenamed']);
  },
});

fault({
  fault: 'a client offline while others work',
  must: 'after its return it has heard of every change, once and in order',
  trial: async (turn) => {
    const from = (await who.post('server/list')).headers.get('x-position') ?? '0';
    const client = await connectSocket(who);
    await client.resume(from);
    const ids = await Promise.all([register(), register()]);
    await client.until(() => client.changes.length >= ids.length);
    client.socket.disconnect();
    const writers = Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 10; i++) ids.push(await register());
    });
    await pause(moment(turn, 150));
    // Reconnects in the middle of the work: live pushes and missed changes overlap.
    client.socket.connect();
    await new Promise<void>((done) =>
      client.socket.connected ? done() : client.socket.once('connect', () => done()),
    );
    await client.resume(client.changes.at(-1)?.position ?? from);
    await Promise.all(writers);
    const heard = () => new Map(client.changes.map((change) => [change.position, change.stream]));
    await client.until(() => heard().size >= ids.length);
    expect([...heard().values()].sort()).toEqual(ids.map((id) => `server-${id}`).sort());
    const positions = [...heard().keys()].map(Number);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    client.close();
  },
});

fault({
  fault: 'a client that takes nothing while events pour',
  must: 'it is dropped, the others hear all in order, memory stays bounded, it is exact after its return',
  share: 0.5,
  trial: async () => {
    const { stalled, healthy, dropped, grownBy } = await stallOneClient(world.backend, who, { others: 4 });
    expect(healthy).toEqual(Array.from({ length: 4 }, () => ({ heard: STALLED_FOR, inOrder: true })));
    expect([dropped, stalled]).toEqual([1, { drops: 1, exact: true }]);
    expect(grownBy).toBeLessThan(600 * 1024 * 1024);
    return `grown by ${(grownBy / 1024 / 1024).toFixed(0).padStart(3)} MB`;
  },
});
