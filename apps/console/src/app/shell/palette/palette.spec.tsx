/** covers: SHELL-05 */
import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { scriptColumns, type ScriptRow } from '@quarterdeck/projections';
import { pageOfDomains } from '../../../testing/domain';
import { answerWith } from '../../../testing/network';
import { pagesOf } from '../../../testing/pages';
import { renderRoutes, sessionOf } from '../../../testing/render';
import { pageOfServers, serverOf } from '../../../testing/server';
import { routes } from '../../router';
import { loadingPalette, openPalette, usePalette } from './palette-state';
import { rank, recallUses, rememberUse, type Ranked } from './ranking';

const AT = Date.parse('2026-11-20T12:00:00.000Z');

const entry = (label: string, more: Partial<Ranked> = {}): Ranked => ({
  id: label,
  label,
  kind: 'Page',
  ...more,
});

const labels = (entries: readonly Ranked[], query: string): string[] =>
  rank(entries, query, recallUses(), AT).map(({ label }) => label);

afterEach(() => localStorage.clear());

describe('the ranking', () => {
  test('ranks prefixes before whole words before substrings, and omits scattered letters', () => {
    const entries = ['observer', 'Add server', 'Profile', 'Servers', 's-e-r-v-e-r'].map((label) =>
      entry(label),
    );
    expect(labels(entries, 'server')).toEqual(['Servers', 'Add server', 'observer']);
  });

  test('matches words of a name, kind or description in any order', () => {
    const entries = [
      entry('Initialize web-1'),
      entry('Initialize web-2'),
      entry('cleanup', { kind: 'Script', description: 'Removes old log files' }),
    ];
    expect(labels(entries, 'web-1 init')).toEqual(['Initialize web-1']);
    expect(labels(entries, 'files old')).toEqual(['cleanup']);
    expect(labels(entries, 'script clean')).toEqual(['cleanup']);
    expect(labels(entries, 'web-3')).toEqual([]);
  });

  test('ranks a match in the name before one in the description, and the whole text before its words', () => {
    const entries = [
      entry('edge', { description: 'dns server' }),
      entry('Dashboard of the dns'),
      entry('many runs on'),
      entry('Run on many servers'),
    ];
    expect(labels(entries, 'dns')).toEqual(['Dashboard of the dns', 'edge']);
    expect(labels(entries, 'run on')).toEqual(['Run on many servers', 'many runs on']);
  });

  test('ranks frequently and recently used entries first among equal matches', () => {
    const entries = ['web-1', 'web-2', 'web-3'].map((label) => entry(label));
    rememberUse('web-2', AT - 30 * 86_400_000);
    rememberUse('web-2', AT - 30 * 86_400_000);
    rememberUse('web-3', AT);
    expect(labels(entries, 'web')).toEqual(['web-3', 'web-2', 'web-1']);
    expect(labels(entries, '')).toEqual(['web-3', 'web-2', 'web-1']);
  });

  test('finds one of 20,000 entries', () => {
    const many = Array.from({ length: 20_000 }, (_, at) =>
      entry(`web-${at}`, { kind: 'Server', description: `root@10.0.0.${at}` }),
    );
    expect(labels(many, 'web-19999')[0]).toBe('web-19999');
  });
});

const SERVER = serverOf('s1', 'edge-ams-1');
const SCRIPT: ScriptRow = {
  id: 'c1',
  name: 'rotate logs',
  changedAt: '2026-11-20T12:00:00.000Z',
  changedBy: 'p1',
  newest: { version: 1, changes: true, timeoutSeconds: 60, at: '2026-11-20T12:00:00.000Z', by: 'p1' },
};

const open = (at = '/app', answers: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/server/page': pageOfServers([SERVER]),
    'POST /api/script/page': pagesOf(scriptColumns, [SCRIPT]),
    'POST /api/domain/page': pageOfDomains(),
    ...answers,
  });
  return { ...network, ...renderRoutes(routes, { at, session: sessionOf('admin') }) };
};

const found = async (words: string): Promise<void> => {
  await screen.findByRole('contentinfo');
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await screen.findByRole('combobox', { name: /^Search pages/ }), words);
};

describe('the palette', () => {
  test('loses no key typed right after it opens, including Enter', async () => {
    const { router } = open('/app/server');
    await screen.findByRole('heading', { name: 'Servers' });
    await userEvent.keyboard('{Control>}k{/Control}domainx{Backspace}{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/domain'));
    expect(screen.queryByRole('combobox', { name: /^Search pages/ })).toBeNull();
  });

  test('delays Enter until a server is found', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { router } = open('/app', {
      'POST /api/server/page': async (call) => {
        await held;
        return pageOfServers([SERVER])(call);
      },
    });
    await screen.findByRole('contentinfo');
    await userEvent.keyboard('{Control>}k{/Control}ams-1{Enter}');
    expect(await screen.findByText('Searching')).toBeVisible();
    release();
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/server/s1/detail'));
  });

  test('delays Enter while a better match may still arrive', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { router } = open('/app', {
      'POST /api/server/page': async (call) => {
        await held;
        return pageOfServers([serverOf('s2', 'domain')])(call);
      },
    });
    await found('domain');
    await screen.findByRole('option', { name: 'Domain, Page' });
    await userEvent.keyboard('{Enter}');
    expect(router.state.location.pathname).toBe('/app');
    release();
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/server/s2/detail'));
  });

  test('Enter chooses an entry selected with the arrow keys at once, even while results are loading', async () => {
    const { router } = open('/app', { 'POST /api/server/page': () => new Promise(() => undefined) });
    await found('script');
    await screen.findByRole('option', { name: 'Script, Page' });
    await userEvent.keyboard('{ArrowDown}{ArrowUp}{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/script'));
  });

  test('leaves the keys to the page while it cannot be loaded, and keeps its query', async () => {
    const heard = jest.fn();
    window.addEventListener('keydown', heard);
    render(<input aria-label="Name" />);
    const { result } = renderHook(() => usePalette());
    act(openPalette);
    await userEvent.keyboard('ab');
    await act(() => loadingPalette(Promise.reject(new Error('lost'))).catch(() => undefined));
    expect(heard).not.toHaveBeenCalled();
    await userEvent.keyboard('c');
    expect(heard).toHaveBeenCalledTimes(1);
    expect(result.current).toMatchObject({ opened: true, query: 'ab' });
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'd');
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('d');
    expect(result.current.opened).toBe(false);
    await loadingPalette(Promise.resolve());
    window.removeEventListener('keydown', heard);
  });

  test('finds a server on a later page of a long list', async () => {
    const many = Array.from({ length: 400 }, (_, at) => serverOf(`s${at}`, `web-${at}`));
    const { router } = open('/app', { 'POST /api/server/page': pageOfServers(many) });
    await found('commands web-399');
    await userEvent.click(await screen.findByRole('option', { name: 'Commands of web-399, Action' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/server/s399/detail'));
  });

  test.each([
    ['rotate', 'rotate logs, Script', '/app/script/c1/detail', ''],
    ['logs script', 'rotate logs, Script', '/app/script/c1/detail', ''],
    ['run rotate', 'Run rotate logs, Action', '/app/fleet', '?script=c1'],
    ['dns server', 'DNS, Setting', '/app/profile/settings', '?section=dns'],
    ['token', 'Source-code host, Setting', '/app/profile/settings', '?section=source-host'],
    ['invite', 'Invite somebody, Action', '/app/members/invite', ''],
    ['expiry', 'Expiry calendar, Page', '/app/domain/calendar', ''],
  ])('finds with "%s": %s', async (words, name, pathname, search) => {
    const { router } = open();
    await found(words);
    await userEvent.click(await screen.findByRole('option', { name }));
    await waitFor(() => expect(router.state.location).toMatchObject({ pathname, search }));
  });

  test('tells an administrator who may see backups, and leads to how they get that role', async () => {
    const { router } = open();
    await found('backup');
    const option = await screen.findByRole('option', { name: 'Backups, Page' });
    expect(option).toHaveTextContent('for superadmins only');
    await userEvent.click(option);
    expect(await screen.findByRole('heading', { name: 'Superadministrators only' })).toBeVisible();
    expect(router.state.location).toMatchObject({ pathname: '/superadmin', search: '?tab=backups' });
  });

  test('finds a service by a word of its name, with the product that it belongs to', async () => {
    const { router, calls } = open('/app', {
      'POST /api/history/find': {
        body: [
          {
            category: 'service',
            id: 'v1',
            name: 'checkout-api',
            within: [{ category: 'product', id: 'p1', name: 'Shop' }],
          },
          // It is listed with its actions already.
          { category: 'server', id: 's1', name: 'checkout-1' },
          // It has no page.
          { category: 'backup', id: 'b1', name: 'checkout' },
        ],
      },
    });
    await found('che');
    await userEvent.type(screen.getByRole('combobox', { name: /^Search pages/ }), 'ckout');
    const option = await screen.findByRole('option', { name: 'checkout-api, Service' });
    expect(option).toHaveTextContent('Shop');
    expect(screen.queryByRole('option', { name: /^checkout-1|Backup$/ })).toBeNull();
    // The records found for "che" show the option already.
    await waitFor(() =>
      expect(calls.findLast(({ path }) => path === '/api/history/find')?.body).toEqual({ text: 'checkout' }),
    );
    await userEvent.click(await screen.findByRole('option', { name: 'checkout-api, Service' }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/app/product/p1/detail/service/v1/detail'),
    );
  });

  test('finds parts of a product by their kind, and the comparison of the environments of a service', async () => {
    const shop = { category: 'product', id: 'p1', name: 'Shop' };
    const { router, calls } = open('/app', {
      'POST /api/history/find': {
        body: [
          { category: 'database', id: 'd1', name: 'main', within: [shop] },
          { category: 'service', id: 'v1', name: 'checkout', within: [shop] },
        ],
      },
    });
    await found('databases');
    expect(await screen.findByRole('option', { name: 'main, Database' })).toHaveTextContent('Shop');
    await userEvent.keyboard('{Control>}a{/Control}compare');
    const name = 'Compare the environments of checkout, Action';
    expect(await screen.findByRole('option', { name })).toBeVisible();
    await waitFor(() =>
      expect(calls.findLast(({ path }) => path === '/api/history/find')?.body).toEqual({
        text: 'service compare',
      }),
    );
    await userEvent.click(await screen.findByRole('option', { name }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/app/product/p1/detail/service/v1/detail/env-var/compare'),
    );
  });

  test('finds members by name or e-mail, and the console as it was an hour ago', async () => {
    const ada = { id: 'p1', email: 'ada@example.test', name: 'Ada Lovelace' };
    const { router } = open('/app/server', {
      'POST /api/person/page': { body: { rows: [ada], total: 1, found: 1, options: {} } },
    });
    await found('ada@');
    expect(await screen.findByRole('option', { name: 'Ada Lovelace, Member' })).toBeVisible();
    await userEvent.keyboard('{Control>}a{/Control}1 hour ago');
    await userEvent.click(await screen.findByRole('option', { name: 'The console 1 hour ago, Instant' }));
    await waitFor(() => expect(router.state.location.search).toMatch(/^\?at=20/));
    expect(router.state.location.pathname).toBe('/app/server');
  });

  test('is navigated with the arrow keys, and remembers the chosen entry', async () => {
    const { router } = open();
    await found('server');
    const options = await screen.findAllByRole('option');
    expect(options[0]).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getAllByRole('option')[1]).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{ArrowUp}{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/server'));
    expect(recallUses()).toMatchObject([{ id: '/app/server', times: 1 }]);
  });

  test('does not initialize a server without confirmation', async () => {
    const { calls } = open('/app', { 'POST /api/server/detail': { body: SERVER } });
    await found('initialize ams');
    await userEvent.click(await screen.findByRole('option', { name: 'Initialize edge-ams-1, Action' }));
    expect(await screen.findByRole('dialog', { name: /edge-ams-1/ })).toBeVisible();
    expect(calls.some(({ path }) => path === '/api/server/init')).toBe(false);
  });
});
