// covers: AUD-03
import { screen, within } from '@testing-library/react';
import { answerWith } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { routes } from '../router';

const ADA = sessionOf().profile.id;
const person = {
  ...{ id: ADA, workspace: 'w', role: 'admin', name: 'Ada Marsh', revision: 0, position: '3' },
  ...{ joinedAt: '2020-01-01T12:00:00.000Z', lastSignInAt: '2020-01-01T12:09:50.000Z' },
};
const invitation = {
  ...{ id: 'i1', workspace: 'w', role: 'member', via: 'link', revision: 0, position: '4' },
  ...{ issuedAt: '2020-01-01T12:00:00.000Z', issuedBy: ADA, expiresAt: '2020-01-05T12:10:00.000Z' },
};

const open = (address: string, moment = {}) => {
  answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [person] },
    'POST /api/invitation/list': { body: [invitation] },
    ...moment,
  });
  window.history.replaceState(null, '', address);
  renderRoutes(routes, { at: address, session: sessionOf('admin') });
};
const known = {
  'POST /api/moment/detail': { body: { position: '41', at: '2020-01-01T12:10:00.000Z' } },
};
afterEach(() => window.history.replaceState(null, '', '/'));

test('how long ago something was is counted from the instant that is looked at', async () => {
  open('/app/members?at=41', known);
  const row = within(await screen.findByRole('row', { name: /Ada Marsh/ }));
  expect(await row.findByText('10 minutes ago')).toBeVisible();
  expect(row.getByText('just now')).toBeVisible();
});

test('what was open then is open, however long that is over', async () => {
  open('/app/members?tab=invitations&at=41', known);
  const row = within(await screen.findByRole('row', { name: /Whoever has the link/ }));
  expect(await row.findByText('in 4 days')).toBeVisible();
  expect(row.getByText('open')).toBeVisible();
});

test('where the instant is not known, times stand as they are', async () => {
  open('/app/members?at=41');
  const row = within(await screen.findByRole('row', { name: /Ada Marsh/ }));
  expect(row.getByText(/1 Jan 2020, \d\d:00:00/)).toBeVisible();
});
