// covers: LOG-04
import { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { AREA, REBUILD_LOCK } from '../../libs/projections/src/runner/schema';
import { openWorld, type World } from '../backend/world';
import { operator, type Operator } from '../../testing/operator';

let world: World;
let database: Client;

beforeAll(async () => {
  world = await openWorld();
  database = new Client({ connectionString: world.postgres.url });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await world?.end();
});

const list = (who: Operator, headers = {}) => who.post<{ name: string }[]>('script/list', {}, headers);
const insert = (who: Operator, name: string) =>
  who.post('script/insert', { name, body: 'uptime\n', changes: false, timeoutSeconds: 30 });

test('the past is refused while the read models are built after a move, and the present is shown', async () => {
  const alice = await world.backend.signIn();
  const first = await insert(alice, 'first');
  const at = { 'x-at': first.headers.get('x-position') ?? '' };
  await insert(alice, 'second');
  const then = (await list(alice, at)).body;
  expect(then.map(({ name }) => name)).toEqual(['first']);
  await world.backend.close();
  // As if the log had been at another place until now.
  await database.query('update read.log set home = $1', [uuid()]);
  await database.query('select pg_advisory_lock($1, $2)', [AREA, REBUILD_LOCK]);

  const again = await world.another();
  const bob = operator(again.url, alice.cookie);
  expect((await list(bob)).body.map(({ name }) => name).sort()).toEqual(['first', 'second']);
  const answers = [
    await list(bob, at),
    await bob.post('moment/detail', { at: at['x-at'] }),
    await list(bob, { 'x-at': new Date().toISOString() }),
  ];
  for (const { status, headers, body } of answers)
    expect([status, headers.get('retry-after'), body]).toEqual([
      503,
      '2',
      { msg: 'the past cannot be shown while the read models are being built; try again in a moment' },
    ]);
  await database.query('select pg_advisory_unlock($1, $2)', [AREA, REBUILD_LOCK]);
  await again.caughtUp();
  expect((await list(bob, at)).body).toEqual(then);
});
