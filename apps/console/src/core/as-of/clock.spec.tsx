// covers: AUD-03
import { screen, within } from '@testing-library/react';
import { domainOf, expiriesAnswer, pageOfDomains } from '../../testing/domain';
import { answerWith } from '../../testing/network';
import { answersAboutPeople } from '../../testing/person';
import { renderRoutes, sessionOf } from '../../testing/render';
import { routes } from '../../app/router';

const ADA = sessionOf().profile.id;
const person = {
  id: ADA,
  workspace: 'w',
  role: 'admin',
  name: 'Ada Marsh',
  revision: 0,
  position: '3',
  joinedAt: '2020-01-01T12:00:00.000Z',
  lastSignInAt: '2020-01-01T12:09:50.000Z',
};
const invitation = {
  id: 'i1',
  workspace: 'w',
  role: 'member',
  via: 'link',
  revision: 0,
  position: '4',
  issuedAt: '2020-01-01T12:00:00.000Z',
  issuedBy: ADA,
  expiresAt: '2020-01-05T12:10:00.000Z',
};

const open = (address: string, moment = {}) => {
  answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    ...answersAboutPeople(person),
    'POST /api/invitation/list': { body: [invitation] },
    ...moment,
  });
  window.history.replaceState(null, '', address);
  return renderRoutes(routes, { at: address, session: sessionOf('admin') });
};
const known = {
  'POST /api/moment/detail': { body: { position: '41', at: '2020-01-01T12:10:00.000Z' } },
};
afterEach(() => window.history.replaceState(null, '', '/'));

test('relative times are counted from the chosen instant', async () => {
  open('/app/members?at=41', known);
  const row = within(await screen.findByRole('row', { name: /Ada Marsh/ }));
  expect(await row.findByText('10 minutes ago')).toBeVisible();
  expect(row.getByText('just now')).toBeVisible();
});

test('an invitation that was open at the chosen instant is shown as open', async () => {
  open('/app/members?tab=invitations&at=41', known);
  const row = within(await screen.findByRole('row', { name: /Anyone with the link/ }));
  expect(await row.findByText('in 4 days')).toBeVisible();
  expect(row.getByText('open')).toBeVisible();
});

test('times are absolute while the time of the chosen instant is unknown', async () => {
  open('/app/members?at=41');
  const row = within(await screen.findByRole('row', { name: /Ada Marsh/ }));
  expect(row.getByText(/1 Jan 2020, \d\d:00:00/)).toBeVisible();
});

test('a certificate that expired since is shown as not yet expired', async () => {
  const notAfter = '2020-01-21T10:00:00.000Z';
  const subject = { kind: 'domain', id: 'd', name: 'shop.example.org' };
  const alert = {
    id: 'a1',
    eventId: 'e1',
    about: 'certificateExpiry',
    threshold: 21,
    state: 'open',
    subject,
    notAfter,
    deliveries: [],
    raisedAt: '2020-01-01T12:00:00.000Z',
    revision: 0,
    position: '4',
  };
  const served = { at: notAfter, valid: true, served: { names: [subject.name], notAfter } };
  const handlers = {
    ...known,
    'POST /api/alert/list': { body: [alert] },
    'POST /api/domain/expiries': expiriesAnswer('2020-01-01T12:10:00.000Z', [
      domainOf('d', { serverName: subject.name, served }),
    ]),
    'POST /api/domain/page': pageOfDomains(),
  };
  const { go } = open('/app/domain?at=41', handlers);
  const panel = within(await screen.findByRole('region', { name: 'Alerts' }));
  expect(await panel.findByText(/shop\.example\.org expires within 20 days/)).toBeVisible();
  await go('/app/domain/calendar?at=41');
  expect(await screen.findByRole('heading', { name: 'January 2020' })).toBeVisible();
  expect(screen.getByText('expires at 10:00')).toBeVisible();
});
