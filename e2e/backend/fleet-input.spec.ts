/** Validation of runs over many servers: each refusal names the field. covers: SRV-15 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Operator } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';
import { endedFleet, saveScript, startFleet } from './fleet-world';
import { fieldsOf, idleKey, openWorld, registerAt, type World } from './world';

let world: World;
let sshd: Sshd;
let alice: Operator;
let servers: string[];

beforeAll(async () => {
  [world, sshd] = await Promise.all([openWorld(), startSshd()]);
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  servers = [await registerAt(alice, sshd, 'input-1'), await registerAt(alice, sshd, 'input-2')];
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

const refused = async (input: object) => {
  const { status, body } = await alice.post('fleet/start', input);
  return [status, body.data];
};

test('a run takes one command or script, and 1 to 500 servers, each named once', async () => {
  const script = await saveScript(alice, 'true\n');
  expect(await refused({ servers })).toEqual([400, { cmdType: 'choose a command or a script' }]);
  expect(await refused({ servers, cmdType: 1, script })).toEqual([
    400,
    { script: 'a command or a script, not both' },
  ]);
  expect(await refused({ servers, cmdType: 1, version: 1 })).toEqual([
    400,
    { version: 'only a script has versions' },
  ]);
  expect(await refused({ servers: [], cmdType: 1 })).toEqual([
    400,
    { servers: 'choose at least one server' },
  ]);
  expect(await refused({ servers: [servers[0], servers[0]], cmdType: 1 })).toEqual([
    400,
    { servers: 'each server is named once' },
  ]);
  expect(await refused({ servers: Array.from({ length: 501 }, () => randomUUID()), cmdType: 1 })).toEqual([
    400,
    { servers: 'at most 500 entries are accepted' },
  ]);
  expect(await refused({ servers, cmdType: 1, concurrency: 26 })).toEqual([
    400,
    { concurrency: 'numbers above 25 are not accepted' },
  ]);
  expect(await refused({ servers, script, version: 2 })).toEqual([
    400,
    { version: 'the script does not have this version' },
  ]);
});

test('a run with an unknown server, or one of another workspace, is refused', async () => {
  const stranger = await world.backend.signIn({ workspace: 'theirs', email: 'stranger@example.org' });
  const missing = [400, { servers: '1 of these servers could not be found' }];
  expect(await refused({ servers: [...servers, randomUUID()], cmdType: 1 })).toEqual(missing);
  const foreign = await stranger.post('fleet/start', { servers: [servers[0]], cmdType: 1 });
  expect([foreign.status, foreign.body.data]).toEqual(missing);
  const script = await saveScript(alice, 'true\n');
  const theirs = await stranger.post<{ id: string }>('server/insert', {
    ...fieldsOf('theirs', { host: '127.0.0.1', port: 9, username: 'root' }),
    privateKey: idleKey(),
  });
  const withOurs = await stranger.post('fleet/start', { servers: [theirs.body.id], script });
  expect(withOurs).toMatchObject({ status: 404, body: { msg: 'script could not be found' } });
  const id = await startFleet(alice, { servers, cmdType: 1 });
  await endedFleet(alice, id);
  for (const path of ['fleet/detail', 'fleet/rerun'])
    expect((await stranger.post(path, { id })).status).toBe(404);
});

test('a member may not start, see or repeat a run', async () => {
  const member = await world.backend.signIn({ email: 'mo@example.org', role: 'member' });
  for (const [path, body] of [
    ['fleet/start', { servers, cmdType: 1 }],
    ['fleet/detail', { id: randomUUID() }],
    ['fleet/rerun', { id: randomUUID() }],
  ] as const)
    expect([path, (await member.post(path, body)).status]).toEqual([path, 403]);
});

test('only an ended run that failed on some server can be repeated', async () => {
  const go = join(sshd.folder, 'rerun-go');
  const script = await saveScript(alice, `until [ -e ${go} ]; do sleep 0.05; done\n`);
  const id = await startFleet(alice, { servers, script });
  expect(await alice.post('fleet/rerun', { id })).toMatchObject({
    status: 409,
    body: { msg: 'this run has not ended yet' },
  });
  await endedFleet(
    alice,
    await startFleet(alice, { servers: [servers[0]], script: await saveScript(alice, `touch ${go}\n`) }),
  );
  await endedFleet(alice, id);
  expect(await alice.post('fleet/rerun', { id })).toMatchObject({
    status: 409,
    body: { msg: 'it did not fail on any server' },
  });
});
