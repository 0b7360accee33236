/** Sections, steps and messages of the wizard and the container flow are those of the specification. covers: WIZ-01, DOCK-01 */
import { creationPlans, sectionLabel } from './creations.noun';
import { creationRuns } from './creations.runs';
import { clientPartOf, refusedClientPart, sectionInputs } from './creations.inputs';
import { fieldMessages } from './rules';
import { serviceRuns } from './services.runs';

const UUID = '0193f0a0-0000-7000-8000-000000000c00';
const missing = (section: keyof typeof sectionInputs, values: object): Record<string, string> => {
  const { error } = sectionInputs[section].safeParse(values);
  return error ? fieldMessages(error) : {};
};
const required = (...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, 'This field is required']));

test('the sections have the labels and the order of the specification', () => {
  expect(creationPlans.product.map(sectionLabel)).toEqual([
    'Product',
    'Database',
    'Github repo',
    'Server',
    'Service',
    'Domain',
    'Deploy',
  ]);
  expect(creationPlans.container.slice(0, 2)).toEqual(['repo', 'dns']);
});

test('the steps between the first and the last state have the names of the specification', () => {
  expect(Object.keys(creationRuns.creationProduct.steps)).toEqual(['product', 'structure', 'version']);
  expect(Object.keys(serviceRuns.createService.steps)).toEqual([
    'create',
    'createFront',
    'upgradeDataModel',
    'init',
    'initFront',
    'addEnvVar',
  ]);
  expect(Object.keys(creationRuns.creationDeploy.steps)).toEqual([
    'server',
    'client',
    'deployment',
    'CI',
    'CIFront',
  ]);
});

test('what a section needs is told at each field, in the words of the specification', () => {
  expect(missing('product', {})).toEqual(required('name'));
  expect(missing('database', {})).toEqual(required('host', 'name', 'username', 'password', 'port'));
  expect(missing('repository', { fromTemplate: { server: true, client: true } })).toEqual(
    required('organization', 'repo'),
  );
  expect(missing('server', {})).toEqual(required('server'));
  expect(missing('service', { port: 3000, withDb: true })).toEqual(required('name'));
  expect(missing('domain', {})).toEqual(required('serverName'));
  expect(missing('dns', { port: 3000 })).toEqual(required('subdomain'));
  expect(missing('server', { server: { id: UUID } })).toEqual({});
});

test('names of repositories are judged at their fields before the source host is asked', () => {
  const fromTemplate = { server: true, client: true };
  const characters = 'letters, digits, ".", "-" and "_" are accepted';
  expect(
    missing('repository', {
      organization: '../../etc',
      repo: 'book shop/x',
      repoFront: 'book shop',
      fromTemplate,
    }),
  ).toEqual({
    organization: 'the name of an organization or account is expected, such as octocat',
    repo: characters,
    repoFront: characters,
  });
  const acme = { organization: 'acme', repo: 'shop.git', fromTemplate };
  expect(missing('repository', { ...acme, repoFront: 'shop client' })).toEqual({ repoFront: characters });
  expect(missing('repository', { ...acme, repoFront: 'SHOP/' })).toEqual({
    repoFront: 'the client part needs a repository of its own',
  });
  expect(sectionInputs.repository.parse({ ...acme, repoFront: 'client.git' })).toMatchObject({
    repo: 'shop',
    repoFront: 'client',
  });
  expect(missing('repository', { ...acme, repoFront: '' })).toEqual({});
});

test('the client part needs a name and a port of its own', () => {
  const service = { name: 'Shop', port: 3000, withDb: true };
  expect(missing('service', { ...service, nameFront: 'shop', portFront: 3000 })).toEqual({
    nameFront: 'the client part needs a name of its own',
    portFront: 'the client part needs a port of its own',
  });
  expect(missing('service', { ...service, nameFront: '', portFront: 3001 })).toEqual({});
});

test.each(['80a', '3000', 0, -1, 3000.5, 65_536, Number.NaN])(
  'the port %p is refused with what is right',
  (port) => {
    const right = 'a port is a number from 1 to 65535, such as 3000';
    expect(missing('dns', { subdomain: 'shop', port })).toEqual({ port: right });
    expect(missing('service', { name: 'Shop', withDb: true, port, portFront: port })).toMatchObject({
      port: right,
      portFront: right,
    });
    const database = { host: 'db', name: 'shop', username: 'shop', password: 'x', port };
    expect(missing('database', database)).toEqual({
      port: 'a port is a number from 1 to 65535, such as 3306',
    });
  },
);

test('what is not entered for the client part follows from the server part, and is judged', () => {
  const last = 'a port is a number from 1 to 65535, such as 3000';
  const service = { name: 'Shop', port: 3000 };
  expect(clientPartOf(service)).toEqual({ name: 'Shop client', port: 3001 });
  expect(clientPartOf({ ...service, nameFront: 'Web', portFront: 4000 })).toEqual({
    name: 'Web',
    port: 4000,
  });
  expect(refusedClientPart(service)).toEqual({});
  expect(refusedClientPart({ ...service, port: 65_535 })).toEqual({
    portFront: `left empty, this is 65536: ${last}`,
  });
  expect(refusedClientPart({ ...service, port: 65_535, portFront: 3001 })).toEqual({});
  expect(refusedClientPart({ ...service, port: 79 })).toEqual({
    portFront:
      'left empty, this is 80: the sites of the server answer at port 80: choose another, such as 3000',
  });
  const long = { ...service, name: 'x'.repeat(94) };
  expect(refusedClientPart(long)).toEqual({
    nameFront: 'left empty, this is the name followed by "client": at most 100 characters are accepted',
  });
  expect(refusedClientPart({ ...long, nameFront: 'Web' })).toEqual({});
  expect(refusedClientPart({ ...service, name: 'x'.repeat(93) })).toEqual({});
});

test.each(['nonsense', 'https://github.com/', '../..', 'acme/shop/tree/main', `acme/${'a'.repeat(300)}`])(
  'the container flow refuses the address %s at its field',
  (repoUrl) => {
    expect(missing('repo', { repoUrl })).toEqual({ repoUrl: expect.stringMatching(/expected|accepted/) });
  },
);

test.each(['https://github.com/acme/shop', 'git@github.com:acme/shop.git', 'acme/shop'])(
  'the container flow takes the address %s',
  (repoUrl) => {
    expect(missing('repo', { repoUrl })).toEqual({});
  },
);
