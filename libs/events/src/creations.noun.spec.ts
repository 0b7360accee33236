/** Sections, steps and messages of the wizard and the container flow are those of the specification. covers: WIZ-01, DOCK-01 */
import { creationPlans, sectionLabel } from './creations.noun';
import { creationRuns } from './creations.runs';
import { sectionInputs } from './creations.inputs';
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
