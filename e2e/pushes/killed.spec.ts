/** The back end is killed between what was stored of a delivery and what follows from it. covers: OPS-06 */
import { once } from 'node:events';
import { publishedContainer } from '../../testing/github/webhooks';
import { signIn, spawnBackend, type BackendProcess } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import { pushCalls, rule, send, type Hook } from './push-ground';

let postgres: TestPostgres;
let backend: BackendProcess;
let calls: ReturnType<typeof pushCalls>;
let server: string;

/** @param before text before which it is killed when it sends it to the database */
const begin = async (before?: string): Promise<void> => {
  const kills = before !== undefined && {
    NODE_OPTIONS: '--import ./testing/killed-before-sending.mjs',
    KILLED_BEFORE_SENDING: before,
  };
  backend = await spawnBackend({ databaseUrl: postgres.url, env: { ...kills } });
  calls = pushCalls(await signIn(backend.url, backend.signInLink));
};

/** It is killed before it sends this text, while it works on a delivery, and started again. */
const killedAt = async (text: string, to: Hook, tag: string, delivery: string): Promise<void> => {
  await backend.stop();
  await begin(text);
  const killed = once(backend.child, 'exit');
  const payload = publishedContainer({ tag });
  // It may be killed after it has answered.
  await send(backend.url, to, 'package', payload, { delivery }).catch(() => undefined);
  await killed;
  await begin();
};

beforeAll(async () => {
  postgres = await startTestPostgres({ own: true });
  await begin();
  const fields = { ...fieldsOf('web-1', nowhere), privateKey: idleKey() };
  server = (await calls.ask('server/insert', fields)).id;
});
afterAll(async () => {
  await backend?.stop();
  await postgres?.stop();
});

it.each([
  [
    'before a delivery is stored: the same delivery again deploys it',
    'insert into app.push_deliveries',
    true,
  ],
  [
    'after a delivery was stored, before it is recorded: it is deployed without being sent again',
    'PushMatched',
    false,
  ],
  ['before the deploy is requested: it is requested once', 'ReleaseRequested', false],
  ['after the deploy was requested, before that is recorded: it is the same deploy', 'PushDeployed', false],
])('%s', async (_, text, isSentAgain) => {
  const to = await calls.hook(server, [rule('Versions')]);
  await killedAt(text, to, 'v1.0.0', 'd1');
  if (isSentAgain) {
    const again = await send(backend.url, to, 'package', publishedContainer({ tag: 'v1.0.0' }), {
      delivery: 'd1',
    });
    expect(again).toMatchObject({ status: 200, body: { repeated: false } });
  }
  const [push] = await calls.settled(to.service, 'deployed');
  const releases = await calls.releases(to.service);
  expect(releases.map(({ id }) => id)).toEqual([push?.release]);
});
