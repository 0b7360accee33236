/**
 * An import of texts whose process is killed goes on in the next one, and changes each key once.
 *
 * covers: I18N-01
 */
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
  const { runId } = await before.ask<{ runId: string }>('import', asked);
  let done = 0;
  await until(async () => {
    done = (await before.list()).length;
    return done > 0;
  });
  await backend.kill('SIGKILL');
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
});
