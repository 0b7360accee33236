// covers: DOM-13, SHELL-06, OPS-01
import { alertColumns, pageOf, type AlertView } from '@quarterdeck/projections';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { expiriesAnswer } from '../../testing/domain';

import { answerWith, type Call, type Reply } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const alert = (id: string, more: object = {}) => ({
  id,
  eventId: `event-${id}`,
  subject: { kind: 'domain', id: `domain-${id}`, name: `${id}.example.org` },
  subjectId: `domain-${id}`,
  about: 'certificateExpiry',
  threshold: 7,
  notAfter: inDays(5.5),
  says: `The certificate of ${id}.example.org expires in 5 days, on 2026-11-28.`,
  state: 'open',
  raisedAt: inDays(-0.1),
  deliveries: [],
  revision: 0,
  position: '5',
  ...more,
});
const workspace = (alerts: object) => ({
  id: 'w',
  workspace: 'w',
  name: 'harbour',
  revision: 3,
  alerts,
  sslMonitor: { expiringDays: 30 },
});
const webhook = { url: 'https://hooks.example.org/console', secret: { ref: 'r', fingerprint: 'SHA256:abc' } };

const paged = (alerts: object[]): Reply => ({ body: pageOf(alerts as AlertView[], alertColumns, {}) });
const open = (at: string, handlers: Record<string, Reply | ((call: Call) => Reply)> = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/alert/list': { body: [] },
    'GET /api/profile/token/validity': { body: { warnings: [], notes: [], scopes: [] } },
    'POST /api/alert/page': paged([]),
    'POST /api/workspace/detail': { body: workspace({ thresholds: [21, 7], webhook }) },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at, session: sessionOf('admin') }) };
};
const bodiesOf = (calls: readonly Call[], path: string) =>
  calls.filter((call) => call.path === path).map(({ body }) => body);

/** Emulates the server's notice memory for one person. */
const remembering = (): Record<string, Reply | ((call: Call) => Reply)> => {
  let kept: { id: string }[] = [];
  return {
    'POST /api/notice/memory': () => ({ body: kept }),
    'POST /api/notice/remember': ({ body }) => {
      const { notices, state } = body as { notices: { id: string; mark: string }[]; state: string };
      kept = [
        ...kept.filter(({ id }) => notices.every((one) => one.id !== id)),
        ...notices.map((one) => ({ ...one, state })),
      ];
      return { body: {} };
    },
  };
};

test('the tab says how many alerts are open, and the list how grave each is', async () => {
  const expired = alert('blog', { threshold: 0 });
  const sent = alert('try', { about: 'test' });
  open('/app/domain/alerts', {
    'POST /api/alert/list': { body: [alert('shop'), expired, sent] },
    'POST /api/alert/page': paged([alert('shop'), expired, sent]),
  });
  const main = within(await screen.findByRole('navigation', { name: 'Main' }));
  expect(await main.findByTitle('2 open alerts')).toHaveTextContent('2');
  const severities = (await screen.findAllByRole('row')).slice(1).map(({ textContent }) => textContent);
  expect(severities).toEqual([
    expect.stringContaining('warning'),
    expect.stringContaining('critical'),
    expect.stringContaining('notice'),
  ]);
});

describe('the banner', () => {
  const two = { 'POST /api/alert/list': { body: [alert('shop'), alert('blog')] } };
  const notice = () => within(screen.getByRole('region', { name: 'Messages' }));
  const there = () => screen.findByRole('region', { name: 'Messages' });

  test('shows all open alerts at once on every page, and links to them', async () => {
    open('/app', two);
    await there();
    expect(await notice().findByText(/2 certificates expire within 6 days\./)).toBeVisible();
    expect(notice().getByRole('link', { name: 'Show alerts' })).toHaveAttribute('href', '/app/domain/alerts');
  });

  test('leaves out what began in maintenance that goes on', async () => {
    const from = { id: 'm1', name: 'Kernel updates' };
    const lasts = { starts: '2020-01-01T00:00Z', ends: '2999-01-01T00:00Z' };
    open('/app', {
      'POST /api/alert/list': { body: [{ ...alert('shop'), maintenance: from }, alert('blog')] },
      'POST /api/maintenance-window/list': {
        body: [{ ...from, happens: 'once', once: lasts, servers: [], sites: [], products: [] }],
      },
    });
    await there();
    expect(await notice().findByText(/The certificate of blog\S* expires/)).toBeVisible();
    expect(await screen.findByRole('button', { name: '1 notice' })).toBeVisible();
  });

  test('that could not be loaded are not reported as none', async () => {
    open('/app', { 'POST /api/alert/list': { status: 500, body: { msg: 'not now' } } });
    await userEvent.click(await screen.findByRole('button', { name: 'Notices' }));
    const inbox = within(await screen.findByRole('dialog', { name: 'Notices' }));
    expect(await inbox.findByText(/Some notices could not be loaded/)).toBeVisible();
    expect(inbox.queryByText('No notices')).toBeNull();
    expect(inbox.queryByRole('status', { name: 'Loading notices' })).toBeNull();
  });

  test('reappears after being closed only for a new alert', async () => {
    const memory = remembering();
    const first = open('/app', { ...two, ...memory });
    await there();
    await notice().findByText(/2 certificates/);
    await screen.findByRole('button', { name: '2 notices' });
    await userEvent.click(notice().getByRole('button', { name: 'Close' }));
    expect(await screen.findByRole('button', { name: 'No notices' })).toBeVisible();
    first.unmount();
    const second = open('/app', { ...two, ...memory });
    await there();
    await waitFor(() => expect(bodiesOf(second.calls, '/api/alert/list')).toEqual([{ open: true }]));
    expect(notice().queryByText(/certificates/)).toBeNull();
    second.unmount();
    open('/app', {
      ...memory,
      'POST /api/alert/list': { body: [alert('shop'), alert('blog'), alert('mail')] },
    });
    await there();
    expect(await notice().findByText(/3 certificates expire/)).toBeVisible();
    expect(await screen.findByRole('button', { name: '1 notice' })).toBeVisible();
  });

  test('disappears when the page changes, while its alerts stay in the inbox until dismissed', async () => {
    const memory = remembering();
    const { go } = open('/app', { ...two, ...memory });
    await there();
    await notice().findByText(/2 certificates/);
    await go('/app/domain/alerts');
    await waitFor(() => expect(notice().queryByText(/2 certificates/)).toBeNull());
    await userEvent.click(await screen.findByRole('button', { name: '2 notices' }));
    const inbox = within(await screen.findByRole('dialog', { name: 'Notices' }));
    expect(inbox.getAllByRole('link', { name: 'Show alert' })).toHaveLength(2);
    await userEvent.click(inbox.getAllByRole('button', { name: 'Dismiss' })[0] as HTMLElement);
    await waitFor(() => expect(inbox.getAllByRole('link', { name: 'Show alert' })).toHaveLength(1));
    await userEvent.click(inbox.getByRole('button', { name: 'Dismiss' }));
    expect(await inbox.findByText('No notices')).toBeVisible();
  });
});

describe('the alerts page', () => {
  test('lists alerts with their webhook state, and opens the delivery attempts', async () => {
    const failed = { attempt: 1, at: inDays(-0.1), status: 500, reason: 'status 500', durationMs: 90 };
    const told = alert('shop', { deliveries: [failed], nextAttemptAt: inDays(0.1) });
    open('/app/domain/alerts', { 'POST /api/alert/page': paged([told]) });
    const row = await screen.findByRole('row', { name: /expires in 5 days/ });
    expect(within(row).getByText('failed, retrying')).toBeVisible();
    expect(within(row).getByRole('link', { name: 'shop.example.org' })).toHaveAttribute(
      'href',
      '/app/domain/domain-shop/edit',
    );
    await userEvent.click(within(row).getByText(/expires in 5 days/));
    const drawer = await screen.findByRole('dialog', { name: 'Alert' });
    const attempts = within(drawer).getByRole('list', { name: 'Attempts' });
    expect(within(attempts).getByText('status 500')).toBeVisible();
    expect(within(drawer).getByText(/^Next attempt/)).toBeVisible();
  });

  test('acknowledges an alert with a note, and shows who takes care of it', async () => {
    const acknowledged = { at: inDays(0), by: 'system', note: 'It is being renewed.' };
    const { calls } = open('/app/domain/alerts?alert=shop', {
      'POST /api/alert/page': paged([alert('shop'), alert('blog', { acknowledged })]),
      'POST /api/alert/acknowledge': { body: { id: 'shop', uuid: 'shop' } },
    });
    const row = await screen.findByRole('row', { name: /blog/ });
    expect(within(row).getByText('acknowledged')).toBeInTheDocument();
    const drawer = await screen.findByRole('dialog', { name: 'Alert' });
    await userEvent.type(within(drawer).getByLabelText('Note'), 'On it.');
    await press(() => within(drawer).getByRole('button', { name: 'Acknowledge' }));
    await waitFor(() =>
      expect(bodiesOf(calls, '/api/alert/acknowledge')).toEqual([{ id: 'shop', note: 'On it.' }]),
    );
  });

  test('opens the alert of a link that is on another page of the list', async () => {
    open('/app/domain/alerts?alert=old', {
      'POST /api/alert/page': paged([alert('shop')]),
      'POST /api/alert/list': { body: [alert('shop'), alert('old', { state: 'resolved' })] },
    });
    const drawer = await screen.findByRole('dialog', { name: 'Alert' });
    expect(await within(drawer).findByText(/old\.example\.org expires/)).toBeVisible();
  });

  test('dismisses one, and sends a test', async () => {
    const { calls } = open('/app/domain/alerts', {
      'POST /api/alert/page': paged([alert('shop')]),
      'POST /api/alert/dismiss': { body: { id: 'shop' } },
      'POST /api/alert/test': { body: { id: 'test' } },
    });
    await userEvent.click(
      await screen.findByRole('button', { name: 'Dismiss the alert about shop.example.org' }),
    );
    await waitFor(() => expect(bodiesOf(calls, '/api/alert/dismiss')).toEqual([{ id: 'shop' }]));
    await userEvent.click(screen.getByRole('button', { name: 'Send a test' }));
    await waitFor(() => expect(bodiesOf(calls, '/api/alert/test')).toHaveLength(1));
  });

  test('shows a refusal on the page until the next attempt', async () => {
    const refused: Reply = { status: 503, body: { msg: 'Nothing was changed' } };
    const { on } = open('/app/domain/alerts', {
      'POST /api/alert/page': paged([alert('shop')]),
      'POST /api/alert/dismiss': refused,
      'POST /api/alert/test': refused,
    });
    const dismiss = await screen.findByRole('button', { name: /^Dismiss the alert/ });
    await userEvent.click(dismiss);
    expect(await screen.findByText('It was not dismissed')).toBeVisible();
    expect(screen.getByText('Nothing was changed').closest('[role=alert]')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Send a test' }));
    expect(await screen.findByText('No test was sent')).toBeVisible();
    on('POST /api/alert/dismiss', { body: { id: 'shop' } });
    await userEvent.click(dismiss);
    await waitFor(() => expect(screen.queryByText('No test was sent')).toBeNull());
  });

  test('says why no test can be sent', async () => {
    open('/app/domain/alerts', { 'POST /api/workspace/detail': { body: workspace({ thresholds: [7] }) } });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Send a test' })).toBeDisabled());
    expect(screen.getByRole('button', { name: 'Send a test' })).toHaveAttribute(
      'title',
      'There is no webhook yet: enter its address in the alert settings',
    );
  });

  test('saves days and webhook, and shows the generated secret once', async () => {
    const { calls } = open('/app/profile/settings?section=alerts&mode=alerts', {
      'POST /api/workspace/detail': { body: workspace({ thresholds: [7] }) },
      'POST /api/workspace/alerts': { body: { id: 'w', uuid: 'w', secret: 'qdwh_made' } },
    });
    const form = await screen.findByRole('form', { name: 'Alerts' });
    const days = within(form).getByLabelText(/^Days before expiry/);
    await userEvent.clear(days);
    await userEvent.type(days, '7, 30');
    await userEvent.type(within(form).getByLabelText(/^Webhook/), webhook.url);
    await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('qdwh_made')).toBeVisible();
    expect(bodiesOf(calls, '/api/workspace/alerts')).toEqual([
      { thresholds: [30, 7], webhook: { url: webhook.url }, revision: 3 },
    ]);
  });

  test('shows a refusal below its field, and a conflict with the current value', async () => {
    const { on } = open('/app/profile/settings?section=alerts&mode=alerts', {
      'POST /api/workspace/alerts': {
        status: 400,
        body: { msg: 'no', data: { 'webhook.url': 'not there' } },
      },
    });
    const form = await screen.findByRole('form', { name: 'Alerts' });
    const days = within(form).getByLabelText(/^Days before expiry/);
    await userEvent.clear(days);
    await userEvent.type(days, '9');
    await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
    expect(await within(form).findByText('not there')).toBeVisible();
    on('POST /api/workspace/alerts', {
      status: 409,
      body: { msg: 'changed', current: { thresholds: [60], webhook, revision: 8 } },
    });
    await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
    expect(await within(form).findByText('60')).toBeVisible();
  });
});

test('the calendar shows the certificates that expire in a month, by week and as a list', async () => {
  const domain = (serverName: string, notAfter: string) => ({
    id: serverName,
    serverName,
    server: { id: 's' },
    served: { at: notAfter, valid: true, served: { names: [serverName], notAfter } },
  });
  const { calls } = open('/app/domain/calendar?month=2031-02', {
    'POST /api/domain/expiries': expiriesAnswer(new Date().toISOString(), [
      domain('a.example.org', '2031-02-03T10:20:00.000Z'),
      domain('b.example.org', '2031-02-03T11:00:00.000Z'),
      domain('c.example.org', '2031-03-01T00:00:00.000Z'),
      ...Array.from({ length: 1000 }, (_, n) => domain(`d${n}.example.org`, '2031-04-01T00:00:00.000Z')),
    ]),
  });
  expect(await screen.findByRole('heading', { name: 'February 2031' })).toBeVisible();
  const list = screen.getByRole('list', { name: 'Days on which certificates expire' });
  expect(within(list).getByRole('heading', { name: 'Monday 3 February' })).toBeVisible();
  expect(within(list).getByText('expires at 10:20')).toBeVisible();
  expect(
    within(list)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([
    '/app/domain/a.example.org/edit?tab=certificate',
    '/app/domain/b.example.org/edit?tab=certificate',
  ]);
  await userEvent.click(screen.getByRole('link', { name: 'Next month, March 2031' }));
  expect(await screen.findByRole('heading', { name: 'Saturday 1 March' })).toBeVisible();
  const next = screen.getByRole('link', { name: 'Next month, April 2031' });
  await userEvent.click(next);
  // A day with many certificates names the first few and links to all of them.
  expect(await screen.findByRole('link', { name: 'Show all 1,000 of this day' })).toHaveAttribute(
    'href',
    '/app/domain?f.expires=2031-04-01',
  );
  expect(screen.getByText('997 more')).toBeVisible();
  expect(next).toHaveFocus();
  expect(bodiesOf(calls, '/api/domain/expiries')).toEqual([
    { month: '2031-02' },
    { month: '2031-03' },
    { month: '2031-04' },
  ]);
  expect(calls.some(({ path }) => path === '/api/domain/list')).toBe(false);
});
