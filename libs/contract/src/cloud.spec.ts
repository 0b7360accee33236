/** The calls about a cloud account, and that of containers, are those of the specification. covers: CLOUD-05, DOCK-01 */
import { cloud } from './cloud';
import { repositories } from './repositories';

test.each([
  [cloud.exists, 'GET token/exists'],
  [cloud.url, 'GET url'],
  [cloud.domainList, 'GET domain/list'],
  [cloud.databaseList, 'GET databases/list'],
  [cloud.databaseCreate, 'POST databases/create'],
  [cloud.databaseDelete, 'GET databases/delete'],
  [cloud.dropletList, 'GET droplet/list'],
  [cloud.dropletCreate, 'POST droplet/create'],
  [cloud.dropletAssociate, 'POST droplet/associate'],
])('the call %# is the one of the specification', ({ method, path }, expected) => {
  expect(`${method} ${path}`).toBe(expected.replace(' ', ' digitalocean/'));
});

test('the containers of a repository are asked for as specified', () => {
  const asked = Object.values(repositories).find(({ path }) => path === 'github/container/list');
  expect(asked?.method).toBe('GET');
});
