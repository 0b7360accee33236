// covers: DOM-09, DOM-13
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';
import { domainOf } from '../../testing/domain';

const ID = '01930000-0000-7000-8000-000000000e02';
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const budget = { allowed: true, words: '49 of 50 certificates are left for example.org.' };

const open = (handlers: Parameters<typeof answerWith>[0] = {}, more: object = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/workspace/detail': {
      body: { alerts: { thresholds: [21, 7] }, revision: 1, sslMonitor: { expiringDays: 30 } },
    },
    'POST /api/domain/detail': { body: domainOf(ID, more), position: '5' },
    'POST /api/domain/renewal': { body: { budget }, position: '5' },
    'POST /api/nginx/lineage': { body: { is: 'none', name: 'shop.example.org', own: 'quarterdeck-x' } },
    'POST /api/ssl/status': { body: { phase: 'idle', nextAt: inDays(3.2) } },
    ...handlers,
  });
  const at = `/app/domain/${ID}/edit?tab=certificate`;
  return { ...network, ...renderRoutes(routes, { at, session: sessionOf('admin') }) };
};
const bodiesOf = (calls: readonly Call[], path: string) =>
  calls.filter((call) => call.path === path).map(({ body }) => body);
const card = async (name: string) => within(await screen.findByRole('region', { name }));

test('shows the next renewal: when, why, by whom, and what the authority allows', async () => {
  const renewal = {
    is: 'wait',
    at: inDays(60),
    reason: 'It will be renewed on 2027-01-21 12:00 UTC, when a third of its lifetime is left.',
    unsuggested: 'Not available: the authority does not offer it.',
  };
  const waiting = { allowed: false, nextAt: inDays(2), words: 'The authority asked to wait.' };
  open({ 'POST /api/domain/renewal': { body: { renewal, budget: waiting } } });
  const told = await card('Next renewal');
  expect(await told.findByText('not due yet')).toBeVisible();
  for (const words of ['in 2 months', renewal.reason, renewal.unsuggested, waiting.words, 'has to wait'])
    expect(told.getByText(words)).toBeVisible();
  expect(await told.findByText(/whose next run by schedule is/)).toHaveTextContent('in 3 days');
});

test('says when a renewal has to be started by hand, and when there is no certificate to renew', async () => {
  const renewal = { is: 'renew', at: inDays(-1), reason: 'It expired.' };
  const { unmount } = open({
    'POST /api/domain/renewal': { body: { renewal, budget } },
    'POST /api/ssl/status': { body: { phase: 'idle' } },
  });
  expect(await (await card('Next renewal')).findByText(/when started by hand/)).toBeVisible();
  expect((await card('Next renewal')).getByText('due')).toBeVisible();
  unmount();
  open();
  expect(await (await card('Next renewal')).findByText(/no certificate from this console/)).toBeVisible();
  expect((await card('Next renewal')).getByText(budget.words)).toBeVisible();
});

test('says "Expired" only after the exact end of a certificate', async () => {
  const { unmount } = open({}, { certificate: { notAfter: inDays(0.8), at: inDays(-89), names: [] } });
  expect(await (await card('Issued certificate')).findByText('Expires')).toBeVisible();
  unmount();
  open({}, { certificate: { notAfter: inDays(-0.2), at: inDays(-90), names: [] } });
  expect(await (await card('Issued certificate')).findByText('Expired')).toBeVisible();
});

const options = { docker: true, ssl: true, gzip: false };
const facts = { notAfter: inDays(80), at: inDays(-10), names: [], serial: '01', fingerprint: 'f' };
const started = { body: { runId: '01930000-0000-7000-8000-0000000000aa' } };
const generated = (more: object = {}) => ({
  body: {
    nginxStatement: 'new',
    sha256: 'c'.repeat(64),
    applied: 'live',
    same: false,
    problems: {},
    ...more,
  },
});

test('removing a certificate previews the change of the live site, and sends the hash of what was shown', async () => {
  const { calls } = open(
    { 'POST /api/nginx/generate': generated(), 'POST /api/nginx/certbot-rm': started },
    { certificate: facts, config: { options } },
  );
  await userEvent.click(await (await card('Issued certificate')).findByRole('button', { name: 'Remove' }));
  const question = within(await screen.findByRole('dialog', { name: /Remove the certificate of/ }));
  expect(await question.findByText(/Live → Generated: 1 line added, 1 removed/)).toBeVisible();
  await userEvent.click(question.getByRole('button', { name: 'Remove certificate' }));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/nginx/certbot-rm')).toMatchObject([{ id: ID, seen: 'c'.repeat(64) }]),
  );
  expect(bodiesOf(calls, '/api/nginx/generate')).toContainEqual({
    id: ID,
    options: { ...options, ssl: false },
  });
});

test('does not issue a certificate until the resulting configuration is shown', async () => {
  const { calls, on } = open({
    'POST /api/nginx/generate': { status: 503, body: { msg: 'not just now' } },
    'POST /api/nginx/certbot': started,
  });
  const button = { name: 'Issue certificate' };
  await userEvent.click(await (await card('Issued certificate')).findByRole('button', button));
  const question = within(await screen.findByRole('dialog', { name: /Issue the certificate of/ }));
  expect(await question.findByText(/not just now/)).toBeVisible();
  expect(question.getByRole('button', button)).toBeDisabled();
  on('POST /api/nginx/generate', generated({ applied: null }));
  await userEvent.click(question.getByRole('button', { name: /again/i }));
  await waitFor(() => expect(question.getByRole('button', button)).toBeEnabled());
  await userEvent.click(question.getByRole('button', button));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/nginx/certbot')).toMatchObject([{ id: ID, seen: 'c'.repeat(64) }]),
  );
});

const theirs = {
  is: 'theirs',
  name: 'shop.example.org',
  own: 'quarterdeck-shop.example.org',
  wrong: 'It was not made by this console.',
  names: ['shop.example.org', 'www.shop.example.org'],
  authenticator: 'webroot',
  webroot: '/srv/shop',
  hooks: 'systemctl reload postfix',
};

test.each([
  ['Adopt it', 'Adopt certificate', { take: 'adopt', webroot: '/srv/shop' }],
  ['Issue another one beside it', 'Issue certificate', { take: 'own' }],
])('asks what becomes of a certificate that somebody else made: %s', async (choice, button, lineage) => {
  const { calls } = open({
    'POST /api/nginx/generate': generated({ applied: null }),
    'POST /api/nginx/certbot': started,
    'POST /api/nginx/lineage': { body: theirs },
  });
  await userEvent.click(
    await (await card('Issued certificate')).findByRole('button', { name: 'Issue certificate' }),
  );
  const question = within(await screen.findByRole('dialog', { name: /Issue the certificate of/ }));
  expect(await question.findByText('shop.example.org, www.shop.example.org')).toBeVisible();
  expect(question.getByText('systemctl reload postfix')).toBeVisible();
  expect(question.getByRole('button', { name: 'Issue certificate' })).toBeDisabled();
  await userEvent.click(question.getByRole('radio', { name: choice }));
  await waitFor(() => expect(question.getByRole('button', { name: button })).toBeEnabled());
  await userEvent.click(question.getByRole('button', { name: button }));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/nginx/certbot')).toMatchObject([{ lineage, seen: 'c'.repeat(64) }]),
  );
  // The configuration that was shown is the one with that certificate.
  expect(bodiesOf(calls, '/api/nginx/generate').at(-1)).toMatchObject({ lineage });
});

const dnsOf = (provider?: object) => ({
  body: {
    alerts: { thresholds: [21, 7] },
    revision: 1,
    sslMonitor: { expiringDays: 30 },
    dns: { resolvers: [], ttl: 300, ...(provider && { provider }) },
  },
});
const issueIn = async () => {
  await userEvent.click(
    await (await card('Issued certificate')).findByRole('button', { name: 'Issue certificate' }),
  );
  return within(await screen.findByRole('dialog', { name: /Issue the certificate of/ }));
};

test('the name is checked over HTTP, or in DNS if the workspace has a provider for its zone', async () => {
  const { calls, unmount } = open({
    'POST /api/nginx/generate': generated({ applied: null }),
    'POST /api/nginx/certbot': started,
    'POST /api/workspace/detail': dnsOf({ kind: 'digitalocean', zone: 'example.org' }),
  });
  const question = await issueIn();
  expect(await question.findByRole('radio', { name: 'Over HTTP' })).toBeChecked();
  expect(await question.findByText(/_acme-challenge\.shop\.example\.org through DigitalOcean/)).toBeVisible();
  await userEvent.click(question.getByRole('radio', { name: 'In DNS' }));
  const order = question.getByRole('button', { name: 'Issue certificate' });
  await waitFor(() => expect(order).toBeEnabled());
  await userEvent.click(order);
  await waitFor(() => expect(bodiesOf(calls, '/api/nginx/certbot')).toMatchObject([{ proof: 'dns' }]));
  unmount();
  open({
    'POST /api/nginx/generate': generated({ applied: null }),
    'POST /api/workspace/detail': dnsOf({ kind: 'digitalocean', zone: 'other.test' }),
  });
  const elsewhere = await issueIn();
  expect(
    await elsewhere.findByText(/has the zone other.test, and shop.example.org is not in it/),
  ).toBeVisible();
  expect(elsewhere.getByRole('radio', { name: 'In DNS' })).toBeDisabled();
});

test('a wildcard is checked in DNS only, and cannot be ordered without a provider', async () => {
  open(
    { 'POST /api/nginx/generate': generated({ applied: null }), 'POST /api/workspace/detail': dnsOf() },
    { serverName: '*.shop.example.org' },
  );
  const question = await issueIn();
  expect(await question.findByText('No DNS provider is set up for this workspace.')).toBeVisible();
  expect(question.getByRole('link', { name: 'DNS settings' })).toBeVisible();
  expect(question.getByRole('radio', { name: 'In DNS' })).toBeChecked();
  expect(question.getByRole('radio', { name: 'Over HTTP' })).toBeDisabled();
  expect(question.getByRole('button', { name: 'Issue certificate' })).toBeDisabled();
});

test('a damaged folder of certbot is named, and the way out is another certificate beside it', async () => {
  const wrong = '/etc/letsencrypt/live/shop.example.org holds copies instead of links.';
  const broken = { is: 'broken', name: 'shop.example.org', own: 'quarterdeck-shop.example.org', wrong };
  const { calls } = open(
    {
      'POST /api/nginx/generate': generated(),
      'POST /api/nginx/certbot': started,
      'POST /api/nginx/lineage': { body: broken },
    },
    { certificate: facts, config: { options } },
  );
  const button = { name: 'Renew certificate' };
  await userEvent.click(await (await card('Issued certificate')).findByRole('button', button));
  const question = within(await screen.findByRole('dialog', { name: /Renew the certificate of/ }));
  expect(await question.findByText(wrong)).toBeVisible();
  expect(question.getByRole('button', button)).toBeDisabled();
  await userEvent.click(question.getByRole('radio', { name: /beside it/ }));
  await waitFor(() => expect(question.getByRole('button', button)).toBeEnabled());
  await userEvent.click(question.getByRole('button', button));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/nginx/certbot')).toMatchObject([
      { lineage: { take: 'own' }, seen: 'c'.repeat(64) },
    ]),
  );
});

test('a certificate of somebody else is deleted only after its name was typed', async () => {
  const { calls } = open(
    {
      'POST /api/nginx/generate': generated(),
      'POST /api/nginx/certbot-rm': started,
      'POST /api/nginx/lineage': { body: theirs },
    },
    { certificate: { ...facts, lineage: { name: theirs.name, adopted: {} } }, config: { options } },
  );
  await userEvent.click(await (await card('Issued certificate')).findByRole('button', { name: 'Remove' }));
  const question = within(await screen.findByRole('dialog', { name: /Remove the certificate of/ }));
  const remove = question.getByRole('button', { name: 'Remove certificate' });
  await userEvent.click(await question.findByRole('radio', { name: /Delete it on/ }));
  await userEvent.type(question.getByRole('textbox', { name: /Type shop.example.org/ }), 'shop');
  expect(remove).toBeDisabled();
  await userEvent.type(question.getByRole('textbox', { name: /Type shop.example.org/ }), '.example.org');
  await waitFor(() => expect(remove).toBeEnabled());
  await userEvent.click(remove);
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/nginx/certbot-rm')).toMatchObject([{ lineage: 'shop.example.org' }]),
  );
});

test('registers a new account where the authority has forgotten the present one', async () => {
  const refusal = {
    at: inDays(0),
    problem: 'urn:ietf:params:acme:error:accountDoesNotExist',
    detail: 'Account 7 not found.',
  };
  const { calls } = open(
    { 'POST /api/nginx/generate': generated(), 'POST /api/nginx/certbot': started },
    { refusals: [refusal] },
  );
  const issued = await card('Issued certificate');
  await userEvent.click(await issued.findByRole('button', { name: 'Register a new account' }));
  const question = within(await screen.findByRole('dialog', { name: /Register a new account/ }));
  const order = question.getByRole('button', { name: 'Register and order' });
  await waitFor(() => expect(order).toBeEnabled());
  await userEvent.click(order);
  await waitFor(() => expect(bodiesOf(calls, '/api/nginx/certbot')).toMatchObject([{ newAccount: true }]));
});

test('says when an order was spent without a certificate', async () => {
  open({}, { refusals: [{ at: inDays(0), detail: 'stored elsewhere', wasted: true }] });
  expect(
    await (await card('Issued certificate')).findByText('The last request was spent without a certificate'),
  ).toBeVisible();
});

test('a renewal says that the configuration does not change', async () => {
  const { calls } = open({ 'POST /api/nginx/certbot': started }, { certificate: facts, config: { options } });
  const button = { name: 'Renew certificate' };
  const issued = await card('Issued certificate');
  await press(() => issued.getByRole('button', button));
  const question = within(await screen.findByRole('dialog', { name: /Renew the certificate of/ }));
  expect(question.getByText(/does not change/)).toBeVisible();
  await press(() => within(screen.getByRole('dialog')).getByRole('button', button));
  await waitFor(() => expect(bodiesOf(calls, '/api/nginx/certbot')).toHaveLength(1));
  expect(bodiesOf(calls, '/api/nginx/certbot')[0]).not.toHaveProperty('seen');
});

test('gives a domain its own thresholds, and resets them to those of the workspace', async () => {
  const { calls, on } = open({ 'POST /api/domain/alerts': { body: { id: ID } } });
  const alerts = await card('Alerts');
  expect(await alerts.findByText(/As in the workspace: 21 and 7 days before expiry/)).toBeVisible();
  await userEvent.click(alerts.getByRole('button', { name: 'Change' }));
  expect(alerts.queryByLabelText(/Days before expiry/)).toBeNull();
  await userEvent.selectOptions(alerts.getByLabelText('Thresholds'), 'domain');
  await userEvent.type(alerts.getByLabelText(/Days before expiry/), '3, x');
  await userEvent.click(alerts.getByRole('button', { name: 'Save' }));
  expect(await alerts.findByText('days are expected, such as 21, 14, 7')).toBeVisible();
  await userEvent.clear(alerts.getByLabelText(/Days before expiry/));
  await userEvent.type(alerts.getByLabelText(/Days before expiry/), '3, 45');
  on('POST /api/domain/detail', {
    body: domainOf(ID, { thresholds: [45, 3], revision: 4 }),
    position: '6',
  });
  await userEvent.click(alerts.getByRole('button', { name: 'Save' }));
  expect(await alerts.findByText(/Of its own: 45 and 3 days before expiry/)).toBeVisible();
  await userEvent.click(alerts.getByRole('button', { name: 'Change' }));
  await userEvent.selectOptions(alerts.getByLabelText('Thresholds'), 'workspace');
  await userEvent.click(alerts.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/domain/alerts')).toEqual([
      { id: ID, thresholds: [45, 3], revision: 3 },
      { id: ID, thresholds: null, revision: 4 },
    ]),
  );
});

test("a conflict shows someone else's thresholds next to the typed ones", async () => {
  const current = domainOf(ID, { thresholds: [9], revision: 5 });
  const { calls, on } = open(
    { 'POST /api/domain/alerts': { status: 409, body: { msg: 'the domain was changed', current } } },
    { thresholds: [30] },
  );
  const alerts = await card('Alerts');
  await userEvent.click(await alerts.findByRole('button', { name: 'Change' }));
  const days = alerts.getByLabelText(/Days before expiry/);
  await userEvent.clear(days);
  await userEvent.type(days, '5');
  await userEvent.click(alerts.getByRole('button', { name: 'Save' }));
  const conflict = await alerts.findByRole('alert', { name: 'Conflict' });
  expect(conflict).toHaveTextContent('9');
  on('POST /api/domain/alerts', { body: { id: ID } });
  await userEvent.click(within(conflict).getByRole('button', { name: 'Save these choices' }));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/domain/alerts').at(-1)).toEqual({ id: ID, thresholds: [5], revision: 5 }),
  );
});
