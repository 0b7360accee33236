/** What a section made is removed again, and nothing else is. covers: WIZ-01 */
import { begin, complete, settled } from './creating';
import { only, openCreations, type CreationGround } from './shop';

let ground: CreationGround;
let { ada, github, valuesOf } = {} as CreationGround;

beforeAll(async () => {
  ground = await openCreations();
  ({ ada, github, valuesOf } = ground);
});
afterAll(() => ground?.end());

test('a repository of somebody else is never deleted, and its section says that it stays', async () => {
  const values = valuesOf();
  const { name } = values.product;
  const id = await begin(ada, 'product', values.product);
  await complete(ada, id, only(values, 'database', 'repository'));
  const theirs = github.repository('acme', name);
  if (!theirs) throw new Error('it was not created');
  theirs.is.description = 'Renamed by somebody else';
  const { runId } = (
    await ada.post<{ runId: string }>('creation/section/undo', { id, section: 'repository' })
  ).body;
  expect(await settled(ada, id, 'repository')).toMatchObject({ state: 'idle' });
  expect(github.repository('acme', name)).toBeDefined();
  expect(github.repository('acme', `${name}-client`)).toBeUndefined();
  const { body } = await ada.post('run/output', { id: runId });
  expect(JSON.stringify(body)).toContain('was not created by this section: it stays');
});

test('a product that got more since is not deleted, and the undo can be asked for again', async () => {
  const values = valuesOf();
  const id = await begin(ada, 'product', values.product);
  const { made } = await settled(ada, id, 'product');
  const product = { id: made[0]?.id ?? '' };
  const own = { ...values['database'], env: { id: 1 }, dbType: 1, certificate: '', server: null };
  const other = await ada.post('database/insert', { data: { ...own, encryption: 'automatic' }, product });
  expect(other.status).toBe(200);
  await ada.post('creation/section/undo', { id, section: 'product' });
  expect(await settled(ada, id, 'product')).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/has the database shop, which this creation did not make/),
    made: [{ kind: 'product' }],
  });
  await ada.post('database/delete', { id: String(other.body['id']) });
  await ada.post('creation/section/undo', { id, section: 'product' });
  expect(await settled(ada, id, 'product')).toMatchObject({ state: 'idle', made: [] });
});
