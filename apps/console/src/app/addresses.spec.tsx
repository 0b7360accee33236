/** Opens every address of the console. covers: SHELL-01, SHELL-03 */
import { screen, within } from '@testing-library/react';
import { answerWith } from '../testing/network';
import { renderRoutes, sessionOf } from '../testing/render';
import { pageOfServers } from '../testing/server';
import { plainNouns } from '@quarterdeck/events';
import { paths, plainPath } from '../core/paths';
import { routes } from './router';

const ID = '01930000-0000-7000-8000-000000000001';
const signedOut = new Set([paths.landing(), paths.login(), paths.logout(), paths.secondFactor()]);
const all = Object.values(paths)
  .map((path) => (path as (id: string) => string)(ID))
  .map((address) => address.replace(/[?#].*$/, ''))
  .filter((address) => !signedOut.has(address));
const plain = plainNouns.flatMap((noun) => [plainPath(noun), `${plainPath(noun)}/add`, plainPath(noun, ID)]);
const addresses = [...new Set([...all, ...plain])];

/** By the specification, every unknown address below the servers shows their list. */
const isServers = (address: string): boolean => address.startsWith(paths.servers());

const open = async (at: string) => {
  answerWith({
    'GET /api/session': { body: sessionOf('admin', 'superadmin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/server/page': pageOfServers([]),
    'POST /api/product/detail': { body: product },
    'POST /api/alert-channel/detail': { body: channel },
    'POST /api/alert-rule/detail': { body: rule },
    'POST /api/maintenance-window/detail': { body: window },
    'POST /api/registry/detail': { body: registry },
    'POST /api/request/detail': { body: request },
    'POST /api/request/collection/detail': { body: collection },
    'POST /api/request/secret/detail': { body: { ...named, value: { ref: ID } } },
    'POST /api/request/variable/detail': { body: named },
    'POST /api/schedule/detail': { body: schedule },
    'POST /api/script/detail': { body: script },
  });
  const view = renderRoutes(routes, { at, session: sessionOf('admin', 'superadmin') });
  return { ...view, heading: await screen.findByRole('heading', { level: 1 }) };
};

// All must exist, because the addresses of their tabs are looked up on them.
const added = {
  id: ID,
  addedAt: '2026-11-20T12:00:00.000Z',
  addedBy: ID,
  changedAt: '2026-11-20T12:00:00.000Z',
  changedBy: ID,
  revision: 0,
  position: '1',
};
const product = { ...added, name: 'Shop', description: '' };
const channel = {
  ...added,
  name: 'Operations',
  kind: 'ntfy',
  topic: 'ops',
  leastSeverity: 'notice',
  wants: {},
};
const rule = {
  ...added,
  name: 'Disks',
  causes: [],
  leastSeverity: 'notice',
  servers: [],
  sites: [],
  products: [],
  channels: [],
  holdsMinutes: 0,
  repeatHours: 0,
  quietHours: null,
  enabled: false,
};
const window = {
  ...added,
  name: 'Updates',
  happens: 'once',
  once: { starts: '2026-12-24T18:00Z', ends: '2026-12-24T22:00Z' },
  weekly: null,
  servers: [],
  sites: [],
  products: [],
};
const registry = { ...added, host: 'docker.io', username: 'shop', token: { ref: ID } };
const collection = { ...added, name: 'Orders', description: '', delayMs: 0, stopOnError: true };
const request = {
  ...added,
  name: 'Orders',
  method: { id: 1, name: 'GET' },
  collection: null,
  product: null,
  host: 'https://api.example.org',
  url: '/orders',
  description: '',
  body: '',
  checks: '',
  sequence: 1,
};
const schedule = {
  ...added,
  name: 'Nightly',
  isOn: true,
  does: 'command',
  server: { id: ID, name: 'web-1' },
  script: null,
  arguments: '',
  command: { name: 'Memory usage' },
  request: null,
  sending: null,
  times: '0 6 * * *',
  zone: '',
  missed: 'catch up',
  overlap: 'skip',
};
const version = { version: 1, body: 'df -h', changes: false, timeoutSeconds: 60, at: added.addedAt, by: ID };
const script = { ...added, name: 'Free space', versions: [version] };
const named = { ...added, name: 'base_url', env: { id: 1, name: 'dev' }, collection: null, value: '' };

let logged: jest.SpyInstance;
beforeEach(() => {
  // The fake network answers 404 to most calls of the pages, which log that.
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => logged.mockRestore());

const nowhere = addresses
  .flatMap((address) => [`${address}/x`, `${address}/x/y`, `${address}/x/y/z`])
  // One more segment is the id of a row, which has its own page that says that the row does not exist.
  .filter((address) => !addresses.includes(address.replace(/\/x$/, `/${ID}`)));

test.each(nowhere.filter((address) => !isServers(address)))(
  '%s shows "Page Not Found" and a link to home',
  async (address) => {
    const { heading } = await open(address);
    expect(heading).toHaveTextContent('Page Not Found');
    expect(screen.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', paths.home());
  },
);

test.each(nowhere.filter((address) => isServers(address)))('%s lists the servers', async (address) => {
  const { heading } = await open(address);
  expect(heading).toHaveTextContent('Servers');
});

test.each([...addresses, '/app/nothing'])(
  'at %s exactly one tab of the top bar is active',
  async (address) => {
    const { container } = await open(address);
    const bars = [screen.getByRole('navigation', { name: 'Main' }), ...screen.queryAllByRole('tablist')];
    const active = bars.map((bar) => [
      ...within(bar).queryAllByRole('link', { current: 'page' }),
      ...within(bar).queryAllByRole('tab', { selected: true }),
    ]);
    expect(active.map(({ length }) => length)).toEqual(bars.map(() => 1));
    // No other element of the header is marked as the current page.
    expect(container.querySelectorAll('header [aria-current="page"]')).toHaveLength(1);
  },
);
