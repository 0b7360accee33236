/** Walks every address of the console. covers: SHELL-01, SHELL-03 */
import { screen, within } from '@testing-library/react';
import { answerWith } from '../testing/network';
import { renderRoutes, sessionOf } from '../testing/render';
import { pageOfServers } from '../testing/server';
import { plainNouns } from '@quarterdeck/events';
import { paths, plainPath } from '../core/paths';
import { routes } from './router';

const ID = '01930000-0000-7000-8000-000000000001';
const signedOut = new Set([paths.landing(), paths.login(), paths.logout()]);
const all = Object.values(paths)
  .map((path) => (path as (id: string) => string)(ID))
  .map((address) => address.replace(/[?#].*$/, ''))
  .filter((address) => !signedOut.has(address));
const plain = plainNouns.flatMap((noun) => [plainPath(noun), `${plainPath(noun)}/add`, plainPath(noun, ID)]);
const addresses = [...new Set([...all, ...plain])];

/** The specification: every other address below the servers is their list. */
const isServers = (address: string): boolean => address.startsWith(paths.servers());
/** One page says that these are not part of the installation yet, whatever is below them. */
const isToCome = (address: string): boolean => address.startsWith(paths.cloud());

const open = async (at: string) => {
  answerWith({
    'GET /api/session': { body: sessionOf('admin', 'superadmin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/server/page': pageOfServers([]),
    'POST /api/product/detail': { body: product },
  });
  const view = renderRoutes(routes, { at, session: sessionOf('admin', 'superadmin') });
  return { ...view, heading: await screen.findByRole('heading', { level: 1 }) };
};

// A tab is looked for on a product that exists.
const product = {
  id: ID,
  name: 'Shop',
  description: '',
  addedAt: '2026-11-20T12:00:00.000Z',
  addedBy: ID,
  changedAt: '2026-11-20T12:00:00.000Z',
  changedBy: ID,
  revision: 0,
  position: '1',
};

let logged: jest.SpyInstance;
beforeEach(() => {
  // The network answers 404 to what the pages ask for, and they log it.
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => logged.mockRestore());

const nowhere = addresses
  .flatMap((address) => [`${address}/x`, `${address}/x/y`, `${address}/x/y/z`])
  // One more part of the address names a thing, which is a page of its own that says that there is no such thing.
  .filter((address) => !addresses.includes(address.replace(/\/x$/, `/${ID}`)));

test.each(nowhere.filter((address) => !isServers(address) && !isToCome(address)))(
  '%s leads nowhere: it says so and offers the way back',
  async (address) => {
    const { heading } = await open(address);
    expect(heading).toHaveTextContent('Page Not Found');
    expect(screen.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', paths.home());
  },
);

test.each(nowhere.filter((address) => isServers(address)))('%s is the list of servers', async (address) => {
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
    // Nor does anything beside the tabs claim to be where one is.
    expect(container.querySelectorAll('header [aria-current="page"]')).toHaveLength(1);
  },
);
