/** covers: SHELL-04 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { backupsView } from '../../testing/backups';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderPage, sessionOf } from '../../testing/render';
import { changesOf } from './LatestChanges';
import Home from '.';

const ID = '01930000-0000-7000-8000-000000000001';
const AT = '2026-11-20T12:00:00.000Z';

const done = { server: true, setUp: true, domain: true, certificate: true, invitation: true };
const none = { server: false, setUp: false, domain: false, certificate: false, invitation: false };

const event = (position: string, correlationId: string, says: string) => ({
  position,
  correlationId,
  says,
  at: AT,
  actor: 'system',
  id: position,
  type: 'ServerRenamed',
  subject: { category: 'server', id: ID, name: 'web-1' },
});

const open = (role: string, overview: object, hidden = false) => {
  const network = answerWith({
    'POST /api/home/overview': {
      body: {
        attention: [],
        attentionCount: 0,
        steps: done,
        counts: { products: 2, domains: 1_200, servers: 3 },
        ...overview,
      },
    },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/backup/overview': { body: backupsView },
    'POST /api/person/list': { body: [] },
    'POST /api/notice/memory': {
      body: hidden ? [{ id: 'first-steps', mark: 'hidden', state: 'dismissed' }] : [],
    },
    'POST /api/notice/remember': { body: {} },
    'POST /api/history/list': {
      body: { events: [event('9', 'a', 'renamed web-1'), event('8', 'b', 'moved'), event('7', 'a', 'x')] },
    },
  });
  return { ...network, ...renderPage(<Home />, { at: '/app', session: sessionOf(role) }) };
};

const item = (more: object) => ({
  kind: 'server',
  id: ID,
  name: 'web-1',
  label: 'failed',
  tone: 'bad',
  ...more,
});
const sectionOf = (name: RegExp) => screen.findByRole('region', { name });

// First, since an earlier page may still be on its way to its second question.
test('welcomes a member and requests no administrator data', async () => {
  const { calls } = open('member', {});
  expect(await screen.findByText(/^Welcome to/)).toBeVisible();
  expect(calls).toEqual([]);
});

test('links each item that needs attention to the page where it can be handled', async () => {
  const since = new Date(Date.now() - 44 * 60_000).toISOString();
  open('admin', {
    attention: [
      item({ label: 'unreachable', part: 'reach', since, affects: { domains: 2, runs: 1 } }),
      item({ kind: 'domain', name: 'shop.test', label: 'DNS wrong', part: 'dns' }),
      item({ kind: 'fleet', name: 'Script: 5 servers', part: 'run', at: AT }),
    ],
    attentionCount: 53,
  });
  const attention = within(await sectionOf(/Needs attention 53/));
  const links = attention.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['web-1 unreachable for 44 min; affects 2 domains and 1 run', `/app/server/${ID}/detail`],
    ['shop.test DNS wrong', `/app/domain/${ID}/edit`],
    [expect.stringMatching(/^Script: 5 servers failed, .*Show reason$/), `/app/fleet/${ID}`],
  ]);
  expect(attention.getByText('50 more are not shown.')).toBeVisible();
  expect(screen.queryByText('First steps')).toBeNull();
});

test('asks a server or DNS again at once, and says on the page why that was refused', async () => {
  const { calls, on } = open('admin', {
    attention: [
      item({ label: 'unreachable', part: 'reach' }),
      item({ kind: 'domain', name: 'shop.test', label: 'DNS wrong', part: 'dns' }),
    ],
    attentionCount: 2,
  });
  on('POST /api/server/contact', { status: 422, body: { msg: 'connection refused' } });
  await press(() => screen.getByRole('button', { name: 'Check connection' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('web-1 does not answer');
  expect(screen.getByRole('alert')).toHaveTextContent('connection refused');
  const addresses = [{ address: '192.0.2.9', family: 4 }];
  on('POST /api/domain/dns/check', {
    body: {
      outcome: 'found',
      addresses,
      pointsHere: false,
      elsewhere: addresses,
      at: '2026-11-20T10:00:00.000Z',
    },
  });
  await press(() => screen.getByRole('button', { name: 'Check DNS' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/domain/dns/check')?.body).toEqual({ id: ID }),
  );
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('says when nothing needs attention, and shows counts on the cards', async () => {
  open('admin', {});
  expect(await screen.findByText('Nothing needs attention.')).toBeVisible();
  expect(screen.getByRole('link', { name: /Domain/ })).toHaveTextContent('1,200');
  expect(screen.getByRole('link', { name: /Manage your servers/ })).toHaveTextContent('3');
});

test('says that runs in progress could not be loaded instead of showing none', async () => {
  const { on } = open('admin', {});
  on('POST /api/run/list', { status: 503, body: { msg: 'The database restarts' } });
  expect(await screen.findByText('Runs in progress could not be loaded')).toBeVisible();
});

test('shows the first steps in an empty workspace, with a link to start the next one', async () => {
  open('admin', { steps: none, counts: { products: 0, domains: 0, servers: 0 } });
  const steps = within(await sectionOf(/First steps 0 of 5/));
  expect(steps.getAllByRole('listitem')).toHaveLength(5);
  expect(steps.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/app/server/add',
    '/app/members/invite',
  ]);
  expect(steps.getByRole('link', { name: /Start/ })).toHaveAttribute('href', '/app/server/add');
  expect(screen.queryByText(/Needs attention/)).toBeNull();
});

test('tells a superadministrator to keep a backup elsewhere until there is one', async () => {
  open('superadmin', { steps: { ...done, invitation: false } });
  const steps = within(await sectionOf(/First steps 4 of 6/));
  expect(steps.getByRole('link', { name: /Keep a backup elsewhere.*everything is lost/ })).toHaveAttribute(
    'href',
    '/superadmin?tab=backups',
  );
});

test('shows items that need attention above the first steps', async () => {
  const alert = item({ kind: 'alert', name: 'event log', label: 'It holds a foreign event', part: 'alert' });
  open('admin', { steps: none, attention: [alert], attentionCount: 1 });
  await sectionOf(/First steps 0 of 5/);
  expect(screen.getByRole('link', { name: /event log It holds a foreign event/ })).toBeVisible();
  expect(screen.getAllByRole('heading', { level: 2 })[0]).toHaveTextContent('Needs attention 1');
});

test('ticks off a finished step and links the next one to its page', async () => {
  open('admin', { steps: { ...none, server: true, nextServer: ID } });
  const steps = within(await sectionOf(/First steps 1 of 5/));
  expect(steps.getAllByRole('img', { name: 'Done:' })).toHaveLength(1);
  expect(steps.getByRole('link', { name: /Set it up.*Start/ })).toHaveAttribute(
    'href',
    `/app/server/${ID}/detail`,
  );
});

test('keeps the first steps hidden once a person hides them', async () => {
  const first = open('admin', { steps: { ...none, server: true } });
  await userEvent.click(await screen.findByRole('button', { name: 'Hide the first steps' }));
  await waitFor(() =>
    expect(first.calls.find(({ path }) => path === '/api/notice/remember')?.body).toEqual({
      notices: [{ id: 'first-steps', mark: 'hidden' }],
      state: 'dismissed',
    }),
  );
  first.unmount();
  open('admin', { steps: { ...none, server: true } }, true);
  expect(await screen.findByText('Nothing needs attention.')).toBeVisible();
  expect(screen.queryByText(/First steps/)).toBeNull();
});

test('shows changes with the same cause as one line', async () => {
  open('admin', {});
  const changes = within(await sectionOf(/Latest changes/));
  expect((await changes.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Quarterdeck renamed web-1.*, with 1 related event$/),
    expect.stringMatching(/^Quarterdeck moved: web-1/),
  ]);
  expect(changes.getAllByRole('link')[0]).toHaveAttribute('href', '/app/history?event=9');
  expect(changesOf([])).toEqual([]);
});
