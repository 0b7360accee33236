/**
 * The token of the source host is revoked while a section works with it: the section says so, makes nothing twice, and
 * goes on with a new token, also that of another operator. covers: WIZ-01
 */
import { TOKEN, SCOPES } from '../repositories/ground';
import { until } from '../../testing/patience';
import { begin, complete, settled, start, undo } from './creating';
import { only, openCreations, type CreationGround } from './shop';

let ground: CreationGround;
let { ada, grace, github, valuesOf } = {} as CreationGround;
beforeAll(async () => {
  ground = await openCreations();
  ({ ada, grace, github, valuesOf } = ground);
});
afterAll(() => ground?.end());
beforeEach(async () => {
  github.tokens.set(TOKEN, { login: 'ada', scopes: SCOPES });
  await ada.post('profile/gh-token/update', { value: TOKEN });
});
afterEach(() => expect(github.undescribed.splice(0)).toEqual([]));

/** Lets a section begin, and revokes the token when the call comes, before its answer. */
const revokedAt = async (call: RegExp, id: string, section: string, values: object): Promise<void> => {
  github.calls.splice(0);
  github.feel({ is: 'waiting' }, call, 1);
  expect(await start(ada, id, section, values as never)).toMatchObject({ status: 200 });
  await until(() => github.calls.some((one) => call.test(one)));
  github.tokens.delete(TOKEN);
  github.go();
};
const generated = (name: string): string[] =>
  [...github.repositories.keys()].filter((one) => one.startsWith(`acme/${name}`)).toSorted();
const refused = {
  state: 'failed',
  reason: expect.stringMatching(/^The source host does not accept your token/),
};
const retry = (by: typeof ada, id: string, section: string) =>
  by.post('creation/section/retry', { id, section });

test('a token that is revoked between two repositories leaves one, and a new token makes the other', async () => {
  const values = valuesOf();
  const { name } = values.product;
  const id = await begin(ada, 'product', values.product);
  await complete(ada, id, only(values, 'database'));
  await revokedAt(new RegExp(`/repos/acme/${name}-client`), id, 'repository', values['repository'] ?? {});
  const one = [{ kind: 'repository', name: `acme/${name}` }];
  expect(await settled(ada, id, 'repository')).toMatchObject({ ...refused, made: one });
  expect(generated(name)).toEqual([`acme/${name}`]);

  // Without a new token nothing changes.
  await retry(ada, id, 'repository');
  expect(await settled(ada, id, 'repository')).toMatchObject({ ...refused, made: one });
  expect(await start(ada, id, 'repository', values['repository'])).toMatchObject({ status: 409 });

  const fresh = 'ghp_the-next-token-of-ada';
  github.tokens.set(fresh, { login: 'ada', scopes: SCOPES });
  expect(await ada.post('profile/gh-token/update', { value: fresh })).toMatchObject({ status: 200 });
  const before = github.calls.filter((call) => call.startsWith('POST') && call.endsWith('/generate'));
  expect(before).toHaveLength(1);
  await retry(ada, id, 'repository');
  expect(await settled(ada, id, 'repository')).toMatchObject({
    state: 'done',
    attempt: 1,
    made: [...one, { kind: 'repository', name: `acme/${name}-client` }],
  });
  const all = github.calls.filter((call) => call.startsWith('POST') && call.endsWith('/generate'));
  expect(all).toHaveLength(2);
  expect(generated(name)).toEqual([`acme/${name}`, `acme/${name}-client`]);
  await undo(ada, id, ['repository']);
  expect(generated(name)).toEqual([]);
});

test('a token that is revoked in the middle of a service does not stop another operator', async () => {
  const values = valuesOf();
  const { name } = values.product;
  const id = await begin(ada, 'product', values.product);
  await complete(ada, id, only(values, 'database', 'repository', 'server'));
  const commits = new RegExp(`POST /repos/acme/${name}/git/commits`);
  await revokedAt(commits, id, 'service', values['service'] ?? {});
  const failed = await settled(ada, id, 'service');
  expect(failed).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^The source host does not accept your token/),
  });
  const own = [{ kind: 'service', name }];
  expect(failed.made).toMatchObject(own);

  await retry(grace, id, 'service');
  const done = await settled(grace, id, 'service');
  expect(done).toMatchObject({ state: 'done', attempt: 1, made: [...own, { kind: 'client' }] });
  expect(done.made[0]?.id).toBe(failed.made[0]?.id);
  expect(github.repository('acme', name)?.history()).toEqual([
    `Initialize ${name}`,
    'Add version 1 of the data model',
    'Initial commit',
  ]);
});
