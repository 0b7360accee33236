// covers: AUTH-12, AUD-03
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call } from '../../testing/network';
import { answersAboutPeople } from '../../testing/person';
import { renderRoutes, sessionOf } from '../../testing/render';

const ADA = sessionOf().profile.id;
const MIA = '01930000-0000-7000-8000-00000000c0de';
const GONE = '01930000-0000-7000-8000-00000000beef';
const at = '2026-11-20T12:00:00.000Z';
const person = (id: string, more: object) => ({
  id,
  workspace: 'w',
  role: 'member',
  joinedAt: at,
  sessions: 1,
  revision: 0,
  position: '3',
  ...more,
});
const event = (position: number, type: string, says: string, category: string) => ({
  position: `${position}`,
  id: `e${position}`,
  type,
  stream: `${category}-${MIA}`,
  revision: position,
  at,
  recordedAt: at,
  actor: ADA,
  workspace: 'w',
  category,
  subjectId: MIA,
  says,
  data: {},
  subject: { category, id: MIA },
  correlationId: `c${position}`,
  causationId: 'c',
  audience: 'admin',
});
const recorded = [
  event(9, 'PersonRoleChanged', 'became admin', 'person'),
  event(8, 'CredentialStored', 'stored the token', 'credentials'),
  event(3, 'PersonJoined', 'joined as member', 'person'),
];

const open = (address: string, role = 'admin') => {
  const session = sessionOf(role);
  const network = answerWith({
    'GET /api/session': { body: session },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/invitation/list': { body: [] },
    ...answersAboutPeople(
      person(ADA, { role: 'admin', name: 'Ada Marsh' }),
      person(MIA, { name: 'Mia Novak', email: 'mia@example.org' }),
      person(GONE, { removedAt: at, forgottenAt: at }),
    ),
    'POST /api/history/list': ({ body }) => {
      const { subject } = body as { subject: { category: string } };
      return { body: { events: recorded.filter(({ category }) => category === subject.category) } };
    },
    'POST /api/moment/difference': {
      body: {
        from: { position: '3', at },
        to: { position: '9', at },
        events: 1,
        changes: [{ field: 'Role', before: 'member', after: 'admin' }],
        parts: [],
        furtherParts: 0,
      },
    },
  });
  return { ...network, ...renderRoutes(routes, { at: address, session }) };
};
const bodiesOf = (calls: readonly Call[], path: string): unknown[] =>
  calls.filter((call) => call.path === `/api/${path}`).map(({ body }) => body);

test('shows the history of a member and the changes between two instants', async () => {
  const { calls, router } = open('/app/members');
  await userEvent.click(await screen.findByRole('link', { name: 'Mia Novak' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Mia Novak' })).toBeVisible();
  expect(screen.getByText('mia@example.org')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Everything that Mia Novak did' })).toHaveAttribute(
    'href',
    `/app/history?actor=${MIA}`,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Compare two instants' }));
  const difference = await screen.findByRole('dialog', { name: 'Changes to Mia Novak' });
  expect(await within(difference).findByRole('row', { name: 'Role member admin' })).toBeVisible();
  expect(router.state.location.search).toBe('?compare=3..');
  expect(bodiesOf(calls, 'moment/difference')).toEqual([
    { subject: { category: 'person', id: MIA }, from: '3' },
  ]);
});

test('shows the history of the credentials separately', async () => {
  const { calls } = open(`/app/members/${MIA}?tab=credentials`);
  await screen.findByRole('button', { name: 'Compare two instants' });
  // With the parts there would be what else has this id: the person.
  expect(bodiesOf(calls, 'history/list')).toMatchObject([{ subject: { category: 'credentials', id: MIA } }]);
  expect(bodiesOf(calls, 'history/list')).not.toMatchObject([{ subject: { parts: true } }]);
  await userEvent.click(await screen.findByRole('button', { name: 'Compare two instants' }));
  expect(
    await screen.findByRole('dialog', { name: 'Changes to the credentials of Mia Novak' }),
  ).toBeVisible();
  await waitFor(() =>
    expect(bodiesOf(calls, 'moment/difference')).toEqual([
      { subject: { category: 'credentials', id: MIA }, from: '8' },
    ]),
  );
});

test('offers the member actions on this page, but none for a forgotten member', async () => {
  const { go } = open(`/app/members/${MIA}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove…' }));
  expect(await screen.findByRole('dialog', { name: 'Remove Mia Novak?' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await go(`/app/members/${GONE}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Former member (beef)' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Former members' })).toBeVisible();
});

test('says that no member has the id in the URL', async () => {
  open('/app/members/nobody');
  expect(await screen.findByText(/No member of this workspace has this id/)).toBeVisible();
});

test('shows nothing to people who are not administrators', async () => {
  const { calls } = open(`/app/members/${MIA}`, 'member');
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toBeVisible());
  expect(screen.queryByText('Mia Novak')).toBeNull();
  expect(bodiesOf(calls, 'history/list')).toEqual([]);
});
