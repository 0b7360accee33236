/**
 * An import of texts whose process is killed goes on in the next one, and changes each key once.
 *
 * covers: I18N-01
 */
import { createHash, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { operator } from '../../testing/operator';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { textsOf, textsOfNewProduct } from './texts-world';

const KEYS = 2000;

let postgres: TestPostgres;
let backend: BackendProcess;
let alice: Operator;

beforeAll(async () => {
  postgres = await startTestPostgres();
  backend = await spawnBackend({ databaseUrl: postgres.url });
  alice = await signIn(backend.url, backend.signInLink);
});
afterAll(async () => {
  await backend?.kill('SIGKILL');
  await postgres?.stop();
});

test('a killed import goes on, and changes each key once', async () => {
  const before = await textsOfNewProduct(alice);
  const file = JSON.stringify(
    Object.fromEntries(Array.from({ length: KEYS }, (_, at) => [`key.${at}`, `Text ${at}`])),
  );
  const { seen } = await before.preview('fr.json', file);
  const content = Buffer.from(file).toString('base64');
  const asked = { product: before.product, name: 'fr.json', content, seen };
  // Somebody is about to claim one of the last keys, so the import waits at its part.
  const other = new Client({ connectionString: postgres.url });
  await other.connect();
  await other.query('begin');
  const name = `${before.product.id} text ${createHash('sha256')
    .update(`key.${KEYS - 1}`)
    .digest('hex')}`;
  await other.query(
    `insert into app.claims (scope, key, holder)
     select 'text-key:' || workspace, $1, $2 from read.products where id = $3`,
    [name, randomUUID(), before.product.id],
  );
  const { runId } = await before.ask<{ runId: string }>('import', asked);
  let done = 0;
  await until(async () => {
    done = (await before.list()).length;
    return done > 0;
  });
  await backend.kill('SIGKILL');
  await other.query('rollback');
  await other.end();
  expect(done).toBeLessThan(KEYS);
  backend = await spawnBackend({ databaseUrl: postgres.url });
  alice = operator(backend.url, alice.cookie);
  const texts = textsOf(alice, before.product.id);
  expect(await texts.ended(runId)).toMatchObject({ state: 'succeeded', keys: KEYS, left: 0 });
  await until(async () => (await texts.list()).length === KEYS);
  const rows = await texts.list();
  expect(new Set(rows.map(({ key }) => key)).size).toBe(KEYS);
  // Nothing was recorded after the event that added each key.
  expect(rows.filter(({ revision }) => revision !== 0)).toEqual([]);
  // Of more keys than a part of the export has.
  expect(JSON.parse((await texts.export({ format: 'json' })).toString())).toEqual(JSON.parse(file));
  // The events of many keys were stored together.
  const db = new Client({ connectionString: postgres.url });
  await db.connect();
  const { rows: stored } = await db.query<{ together: number }>(
    `select count(distinct recorded_at)::int as together from log.events where type = 'TextAdded'`,
  );
  await db.end();
  expect(stored[0]?.together).toBeLessThan(KEYS / 20);
});
