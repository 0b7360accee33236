// covers: DOM-01, DOM-02, DOM-04, SRV-09
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { domainOf, pageOfDomains } from '../../testing/domain';
import { answerWith, type Call } from '../../testing/network';
import { press } from '../../testing/presses';
import { printedAfter, printedRows } from '../../testing/printed';
import { renderRoutes, sessionOf } from '../../testing/render';
import { pageOfServers, serverOf } from '../../testing/server';

const SERVER = '01930000-0000-7000-8000-000000000d01';
const ID = '01930000-0000-7000-8000-000000000d02';
const OTHER = '01930000-0000-7000-8000-000000000d03';
const at = '2026-11-20T12:00:00.000Z';
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

const options = { docker: false, ssl: true, gzip: false };
const config = {
  sha256: 'abc123',
  options,
  file: '/root/volumes/nginx_config/shop.example.org.conf',
  at,
  by: sessionOf().profile.id,
  position: '7',
};
const domain = (more: object = {}) => domainOf(ID, more);
const foreign = domain({
  id: OTHER,
  serverName: 'xn--bcher-kva.example.org',
  dns: { outcome: 'found', addresses: [{ address: '192.0.2.9', family: 4 }], pointsHere: false, at },
  config,
  certificate: { notAfter: inDays(12.5), at },
});

const open = (address: string, handlers: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/workspace/detail': {
      body: { dns: { resolvers: [], ttl: 300 }, revision: 1, sslMonitor: { expiringDays: 30 } },
    },
    'POST /api/server/page': pageOfServers([serverOf(SERVER, 'web-1')]),
    'POST /api/server/detail': { body: serverOf(SERVER, 'web-1') },
    'POST /api/domain/page': pageOfDomains(domain(), foreign),
    'POST /api/domain/pageByServer': pageOfDomains(domain(), foreign),
    'POST /api/domain/detail': { body: domain() },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at: address, session: sessionOf('admin') }) };
};
const bodyOf = (calls: readonly Call[], path: string): unknown =>
  calls.findLast((call) => call.path === path)?.body;

test('the list shows the state, DNS, configuration and days left of each domain', async () => {
  open('/app/domain');
  const row = await screen.findByRole('row', { name: /xn--bcher-kva/ });
  for (const words of [
    'bücher.example.org',
    'Needs attention: DNS wrong',
    'DNS wrong',
    'applied',
    'SSL',
    'expiring',
    '12',
  ])
    expect(within(row).getByText(words)).toBeVisible();
  expect(within(row).getByRole('link', { name: 'web-1' })).toHaveAttribute(
    'href',
    `/app/server/${SERVER}/detail`,
  );
  expect(screen.getByRole('row', { name: /shop\.example\.org/ })).toHaveTextContent('never applied');
});

test('prints all certificates that match, with the day on which each expires', async () => {
  open('/app/domain?q=example');
  await screen.findByRole('row', { name: /xn--bcher-kva/ });
  const page = await printedAfter(() => press(() => screen.getByRole('button', { name: 'Print' })));
  const [head, ...rows] = printedRows(page);
  expect(head).toBe('Domain | State | DNS | Site | Config | Certificate | Days left | Server | Expires');
  expect(rows).toHaveLength(2);
  expect(rows.find((row) => row.includes('xn--bcher'))).toMatch(
    /expiring \| 12 \| web-1 \| \d{4}-\d\d-\d\d$/,
  );
  expect(page).toHaveTextContent(/Search.*example.*by Ada Marsh/);
});

test("the list uses the workspace's threshold for expiring certificates", async () => {
  const certificate = { notAfter: inDays(45.5), at };
  open('/app/domain', {
    'POST /api/workspace/detail': { body: { revision: 1, sslMonitor: { expiringDays: 60 } } },
    'POST /api/domain/page': pageOfDomains(domain({ certificate })),
  });
  const row = within(await screen.findByRole('row', { name: /shop\.example\.org/ }));
  expect(await row.findByText('expiring')).toBeVisible();
  expect(row.getByText('45').closest('[data-tone]')).toHaveAttribute('data-tone', 'warn');
});

test('takes a filter from the URL', async () => {
  open(`/app/domain?f.dns=${encodeURIComponent('DNS wrong')}`);
  await screen.findByRole('row', { name: /xn--bcher-kva/ });
  expect(screen.queryByRole('row', { name: /shop\.example\.org/ })).toBeNull();
});

test('checks while typing whether the name points to the server, and shows a refusal below the field', async () => {
  const { calls } = open('/app/domain/add', {
    'GET /api/dns/ipFromHostname': {
      body: {
        outcome: 'found',
        address: '192.0.2.9',
        addresses: [{ address: '192.0.2.9', family: 4 }],
        timestamp: at,
      },
    },
    'POST /api/domain/insert': {
      status: 400,
      body: { msg: 'not here', data: { serverName: 'new.example.org points to 192.0.2.9' } },
    },
  });
  await userEvent.type(await screen.findByLabelText('Domain name'), 'New.example.org');
  const dns = screen.getByRole('region', { name: 'DNS' });
  // What was typed before the last letter was looked up as well, if that took long.
  await waitFor(() => {
    expect(within(dns).getByText('differs from web-1')).toBeVisible();
    expect(within(dns).getByText(/no DNS provider is set up/)).toBeVisible();
  });
  await userEvent.click(screen.getByRole('button', { name: 'Save domain' }));
  expect(await screen.findByText('new.example.org points to 192.0.2.9')).toBeVisible();
  expect(bodyOf(calls, '/api/domain/insert')).toEqual({
    serverName: 'new.example.org',
    server: { id: SERVER },
  });
});

test('deleting offers to keep the files on the server, and requires the name', async () => {
  const { calls, router } = open(`/app/domain/${ID}/edit`, {
    'POST /api/domain/detail': {
      body: domain({ config: { ...config, text: 'server {}' }, configs: [config] }),
    },
    'POST /api/domain/delete': { body: { id: ID, uuid: ID } },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete domain' }));
  const question = await screen.findByRole('dialog', { name: 'Delete shop.example.org?' });
  await userEvent.click(within(question).getByLabelText('Keep the configuration on web-1'));
  expect(within(question).queryByLabelText('Keep the certificate on web-1')).toBeNull();
  await userEvent.type(within(question).getByRole('textbox'), 'shop.example.org');
  await userEvent.click(within(question).getByRole('button', { name: 'Delete domain' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/domain'));
  expect(bodyOf(calls, '/api/domain/delete')).toMatchObject({
    id: ID,
    serverName: 'shop.example.org',
    keep: { config: true, certificate: false },
  });
});

test('adds a DNS record when DNS differs, and replaces an existing one after confirmation', async () => {
  const provider = { kind: 'digitalocean', zone: 'example.org', secret: { ref: ID, fingerprint: 'x' } };
  const elsewhere = { outcome: 'none', addresses: [], pointsHere: false, at };
  const { calls, on } = open(`/app/domain/${ID}/edit`, {
    'POST /api/workspace/detail': {
      body: { dns: { resolvers: [], ttl: 300, provider }, revision: 1, sslMonitor: { expiringDays: 30 } },
    },
    'POST /api/domain/detail': { body: domain({ dns: elsewhere }) },
    'POST /api/domain/dns/check': { body: domain().dns },
    'POST /api/dns/host/add': { status: 409, body: { msg: 'shop.example.org already has A 192.0.2.9' } },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'add DNS' }));
  expect(await screen.findByText('shop.example.org already has A 192.0.2.9')).toBeVisible();
  expect(bodyOf(calls, '/api/dns/host/add')).toEqual({
    name: 'shop',
    SLD: 'example',
    TLD: 'org',
    ip: '10.0.0.3',
  });
  on('POST /api/dns/host/add', { body: { added: true, hostname: 'shop.example.org' } });
  await userEvent.click(screen.getByRole('button', { name: 'Replace the record' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Replace record' }));
  expect(await screen.findByText('DNS added')).toBeVisible();
  expect(bodyOf(calls, '/api/dns/host/add')).toMatchObject({ replace: true });
});

test('checks the certificates of a server one after another, and continues after a failure', async () => {
  const under = { way: 0, most: 0 };
  const { calls } = open(`/app/server/${SERVER}/detail?tab=domains`, {
    'POST /api/dns/ssl/expiry': async ({ body }) => {
      under.way += 1;
      under.most = Math.max(under.most, under.way);
      await new Promise((resolve) => setTimeout(resolve, 5));
      under.way -= 1;
      return (body as { host: string }).host === 'shop.example.org'
        ? { status: 502, body: { msg: 'no route' } }
        : { body: { valid: true, daysRemaining: 4 } };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Check expiry' }));
  expect(
    await screen.findByText('Checked 2: 1 with fewer than 5 days left or not valid, 1 could not be checked.'),
  ).toBeVisible();
  expect(screen.getByText('could not be checked')).toBeVisible();
  expect(screen.getByText('no route')).toBeVisible();
  expect(screen.getByText('4 days left')).toBeVisible();
  expect(under.most).toBe(1);
  expect(calls.filter(({ path }) => path === '/api/dns/ssl/expiry')).toHaveLength(2);
});

test('lists the domains of a server page by page, but checks all of them', async () => {
  const many = Array.from({ length: 30 }, (_, n) =>
    domain({ id: `d${n}`, serverName: `site-${String(n).padStart(2, '0')}.example.org` }),
  );
  const { calls } = open(`/app/server/${SERVER}/detail?tab=domains`, {
    'POST /api/domain/pageByServer': pageOfDomains(...many),
    'POST /api/dns/ssl/expiry': ({ body }) => ({
      body: { valid: true, daysRemaining: (body as { host: string }).host.startsWith('site-29') ? 2 : 60 },
    }),
  });
  expect(await screen.findByText('1–25 of 30')).toBeVisible();
  expect(screen.getAllByRole('row')).toHaveLength(26);
  const asked = () => calls.filter(({ path }) => path === '/api/domain/pageByServer').map(({ body }) => body);
  expect(asked()).toEqual([{ server: { id: SERVER }, size: 25 }]);
  await userEvent.click(screen.getByRole('button', { name: 'Check expiry' }));
  await screen.findByText('Checked 30: 1 with fewer than 5 days left or not valid.');
  expect(calls.filter(({ path }) => path === '/api/dns/ssl/expiry')).toHaveLength(30);
  // This domain is on another page of the table.
  const found = within(screen.getByRole('list', { name: 'Found by the check' }));
  expect(found.getByRole('listitem')).toHaveTextContent('site-29.example.org: 2 days left');
  expect(found.getByRole('link')).toHaveAttribute('href', '/app/domain/d29/edit?tab=certificate');
});
