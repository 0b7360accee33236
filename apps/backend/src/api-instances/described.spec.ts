/** Instances in the terms of the specification, without secrets. covers: API-01 */
import { described, type InstanceView } from './described';

const at = '2026-11-20T12:00:00.000Z';
const own = {
  addedAt: at,
  addedBy: 'ada',
  changedAt: at,
  changedBy: 'ada',
  revision: 2,
  position: '9',
  workspace: 'main',
};
const view = {
  ...own,
  id: 'i',
  product: 'p',
  name: 'shop',
  title: 'Shop API',
  env: 1,
  description: '',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  github: 'ada',
  multiTenant: true,
  port: 0,
  bindTo: '127.0.0.1',
  servers: [{ url: 'https://api.example.org' }],
  token: { ref: 'of the token' },
  oAuthParams: [
    {
      ...own,
      id: 'o',
      apiInstance: 'i',
      service: 'google',
      clientId: 'shop',
      secret: { ref: 'of the secret' },
      redirectUrl: 'https://api.example.org/oauth',
      options: {},
    },
  ],
} as InstanceView;

test('an instance has the fields of the specification', () => {
  expect(described(view, 5)).toMatchObject({
    uuid: 'i',
    instance: { uuid: 'i', name: 'shop' },
    product: { id: 'p' },
    version: 3,
    options: { multiTenant: true },
    endpointCount: 5,
    info: {
      uuid: 'i',
      servers: [{ url: 'https://api.example.org' }],
      oAuthParams: [{ uuid: 'o', service: 'google', clientId: 'shop', options: {} }],
    },
  });
});

test('an instance says nothing about its secrets', () => {
  expect(JSON.stringify(described(view, 0))).not.toMatch(/of the|"ref"|"secret"|"token"/);
});
