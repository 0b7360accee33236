// covers: DOM-03
import { fieldMessages } from '@quarterdeck/events/inputs';
import type { LocationView } from '@quarterdeck/projections';
import { askedFor, type Draft } from '../../../ui/form/values';
import {
  deedOf,
  draftOf,
  locationFields,
  locationForm,
  newLocation,
  replacing,
  valuesOf,
} from './location-fields';

const ID = '01930000-0000-7000-8000-000000000c01';
const none = { packages: [], apis: [], services: [] };
const asked = (deed: string): string[] =>
  locationFields('/srv/static', none)
    .filter(({ when }) => when?.({ deed }) ?? true)
    .map(({ name, label }) => (name === 'url' ? label : name));

test('asks only for fields that apply to the action', () => {
  expect(asked('proxy')).toEqual(
    expect.arrayContaining([
      'service',
      'Upstream',
      'timeout',
      'websocket',
      'isCorsEnabled',
      'env',
      'deployLog',
      'maxBody',
      'maxHeader',
      'frames',
    ]),
  );
  expect(asked('redirect')).toEqual(['location', 'match', 'deed', 'Redirect to', 'redirectCode']);
  expect(asked('notFound')).toEqual(['location', 'match', 'deed']);
  expect(asked('files')).toEqual([
    'location',
    'match',
    'deed',
    'volumes',
    'env',
    'deployLog',
    'isCorsEnabled',
    'frames',
  ]);
});

test('asks for origins only with CORS, and for a single page only with a prefix', () => {
  const names = (draft: Draft) =>
    askedFor(locationFields('/srv/static', none), { deed: 'files', ...draft }).map(({ name }) => name);
  expect(names({ isCorsEnabled: true, match: 'prefix' })).toEqual(
    expect.arrayContaining(['corsOrigins', 'singlePage']),
  );
  expect(names({ isCorsEnabled: false, match: 'exact' })).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/corsOrigins|singlePage/)]),
  );
});

test('a setting that the form leaves empty is cleared', () => {
  const change = replacing({ location: '/', url: 'http://app', maxBody: 100 });
  expect(change).toMatchObject({
    maxBody: 100,
    maxHeader: null,
    frames: null,
    corsOrigins: null,
    singlePage: null,
  });
});

test.each<[Record<string, unknown>, object]>([
  [
    { deed: 'proxy', url: 'http://app:3000', websocket: true, isCorsEnabled: false, deployLog: ID, env: 3 },
    { url: 'http://app:3000', websocket: true, deployLog: { id: ID }, env: 3 },
  ],
  [
    { deed: 'redirect', url: 'https://www.example.org', redirectCode: 308 },
    { url: 'https://www.example.org', redirectCode: 308, isRedirect: true },
  ],
  [{ deed: 'notFound' }, { is404: true }],
  [
    { deed: 'proxy', url: 'unix:/run/app.sock', singlePage: true, maxBody: 100, frames: 'deny' },
    { url: 'unix:/run/app.sock', singlePage: true, maxBody: 100, frames: 'deny' },
  ],
  [
    { deed: 'files', singlePage: false, isCorsEnabled: true, corsOrigins: ' https://a.test,https://B.test ' },
    { isCorsEnabled: true, corsOrigins: 'https://a.test https://b.test' },
  ],
  [
    { deed: 'files', volumes: '/srv/static', isCorsEnabled: true },
    { volumes: '/srv/static', isCorsEnabled: true },
  ],
])('stores the typed values with the flags that follow from the action: %j', (values, data) => {
  expect(draftOf({ location: '/api/', match: 'prefix', ...values }, [])).toEqual({
    location: '/api/',
    match: 'prefix',
    ...data,
  });
});

test('a generated API is an upstream with one of the known addresses', () => {
  const address = `https://console.example.org/api/instance/${ID}`;
  const api = {
    instance: { uuid: ID, name: 'shop' },
    product: { id: ID },
    title: 'Shop API',
    address,
    through: 'console' as const,
  };
  const fields = locationFields('/srv/static', { ...none, apis: [api] });
  expect(fields.find(({ name }) => name === 'api')).toMatchObject({
    options: [{ value: address, label: `Shop API, through this console (${address})` }],
  });
  const values = { location: '/shop', match: 'prefix', deed: 'api' };
  expect(draftOf({ ...values, api: address }, [])).toEqual({
    location: '/shop',
    match: 'prefix',
    url: address,
  });
  const { error } = locationForm([]).safeParse(values);
  expect(error && fieldMessages(error)).toEqual({ api: 'This field is required' });
  const stored = { id: ID, location: '/shop', match: 'prefix', url: address } as LocationView;
  expect(valuesOf(stored, { apis: [api], services: [] })).toMatchObject({
    deed: 'api',
    api: address,
    url: undefined,
  });
  expect(deedOf(stored)).toBe('proxy');
});

describe('a location of a service', () => {
  const shop = { id: ID, name: 'shop', port: 3000, product: ID };
  const api = { id: ID.replace('c01', 'c02'), name: 'api', port: 3100, product: ID };
  const services = [shop, api];
  const values = { location: '/', match: 'prefix', deed: 'proxy' };
  const stored = (url: string): LocationView => ({
    id: ID,
    location: '/',
    match: 'prefix',
    url,
    service: { id: ID },
  });

  test('leads to its port unless another target is typed', () => {
    const linked = { location: '/', match: 'prefix', service: { id: ID } };
    expect(draftOf({ ...values, service: ID }, services)).toEqual({
      ...linked,
      url: 'http://127.0.0.1:3000',
    });
    const url = 'http://127.0.0.1:3000/v2/';
    expect(draftOf({ ...values, service: ID, url }, services)).toEqual({ ...linked, url });
  });

  test('shows the target of the chosen service in the empty input', () => {
    const shown = (service: string) =>
      askedFor(locationFields('/srv', { ...none, services }), { ...values, service })
        .filter(({ name }) => name === 'url')
        .map((field) => 'placeholder' in field && field.placeholder);
    expect(['', shop.id, api.id].map(shown)).toEqual([
      ['http://app:3000'],
      ['http://127.0.0.1:3000'],
      ['http://127.0.0.1:3100'],
    ]);
  });

  test('gets the target of another service when that is chosen', () => {
    const opened = valuesOf(stored('http://127.0.0.1:3000'), { apis: [], services });
    expect(opened).toMatchObject({ deed: 'proxy', service: ID, url: undefined });
    expect(draftOf({ ...values, service: api.id, url: opened.url }, services)).toMatchObject({
      url: 'http://127.0.0.1:3100',
    });
    const own = 'http://127.0.0.1:3000/v2/';
    expect(valuesOf(stored(own), { apis: [], services })).toMatchObject({ service: ID, url: own });
  });

  test('keeps the link to a service that was deleted', () => {
    expect(valuesOf(stored('http://127.0.0.1:3000'), none)).toMatchObject({
      service: ID,
      url: 'http://127.0.0.1:3000',
    });
  });
});

test('requires a URL for a proxy', () => {
  const { error } = locationForm([]).safeParse(newLocation);
  expect(error && fieldMessages(error)).toEqual({ url: 'This field is required' });
  expect(draftOf(newLocation, [])).toBeUndefined();
});

test('derives the action from a stored location', () => {
  const stored = (more: Partial<LocationView>): LocationView => ({
    id: ID,
    location: '/api/',
    match: 'prefix',
    ...more,
  });
  expect(
    [{ url: 'http://app' }, { url: '/new/', isRedirect: true }, { is404: true }, {}].map((more) =>
      deedOf(stored(more)),
    ),
  ).toEqual(['proxy', 'redirect', 'notFound', 'files']);
  expect(valuesOf(stored({ is404: true }), none)).toMatchObject({ deed: 'notFound', location: '/api/' });
});
