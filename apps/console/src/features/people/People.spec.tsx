// covers: AUTH-12
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call } from '../../testing/network';
import { answersAboutPeople } from '../../testing/person';
import { renderRoutes, sessionOf } from '../../testing/render';

const ADA = sessionOf().profile.id;
const at = '2026-11-20T12:00:00.000Z';
const person = (id: string, more: object) => ({
  id,
  workspace: 'w',
  role: 'member',
  joinedAt: at,
  secondFactors: [],
  recoveryCodesLeft: 0,
  sessions: 1,
  revision: 0,
  position: '3',
  ...more,
});
const people = [
  person(ADA, { role: 'admin', name: 'Ada Marsh', email: 'ada@example.org', lastSignInAt: at }),
  person('p2', { name: 'Mia Novak', sessions: 0 }),
  person('p3', { role: 'superadmin', email: 'root@example.org' }),
  person('p4', { name: 'Bob Gone', removedAt: at }),
  person('p5', { removedAt: at, forgottenAt: at }),
];
const invitation = {
  id: 'i1',
  workspace: 'w',
  role: 'admin',
  via: 'github',
  to: 'octocat',
  issuedAt: at,
  issuedBy: ADA,
  expiresAt: '2999-01-01T00:00:00.000Z',
  revision: 0,
  position: '4',
};

beforeEach(() => localStorage.clear());
afterEach(() => window.history.replaceState(null, '', '/'));

const open = (address: string, handlers: Parameters<typeof answerWith>[0] = {}) => {
  const session = sessionOf('admin');
  const network = answerWith({
    'GET /api/session': { body: session },
    'POST /api/run/list': { body: { runs: [] } },
    ...answersAboutPeople(...people),
    'POST /api/invitation/list': { body: [invitation] },
    'GET /api/auth/providers': { body: [] },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at: address, session }) };
};
const bodyOf = (calls: readonly Call[], path: string): unknown =>
  calls.find((call) => call.path === path)?.body;
const choose = async (name: string, action: RegExp) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  return screen.findByRole('menuitem', { name: action });
};

test('lists only current members, and says why a superadministrator cannot be removed', async () => {
  open('/app/members');
  const row = await screen.findByRole('row', { name: /Ada Marsh/ });
  expect(within(row).getByText('(you)')).toBeVisible();
  expect(within(row).getByText('Administrator')).toBeVisible();
  expect(screen.queryByText('Bob Gone')).toBeNull();
  expect(screen.getByRole('tab', { name: 'Members (3)' })).toBeVisible();
  const remove = await choose('root@example.org', /Remove/);
  expect(remove).toHaveAttribute('data-disabled');
  expect(remove).toHaveTextContent('given and taken at the command line');
  await userEvent.keyboard('{Escape}');
  expect(await choose('Mia Novak', /Sign out everywhere/)).toHaveTextContent('No open sessions.');
});

test.each([
  ['/app/members', /Mia Novak/, '/app/members/p2'],
  ['/app/members?tab=former', /Bob Gone/, '/app/members/p4'],
])('a row of %s opens the member', async (address, name, page) => {
  const { router } = open(address);
  // A click anywhere in the row counts, not only on the name.
  const [, cell] = within(await screen.findByRole('row', { name })).getAllByRole('cell');
  await userEvent.click(cell as HTMLElement);
  expect(router.state.location.pathname).toBe(page);
});

test('removes a member after a dialog that lists the effects, and shows a refusal on the page', async () => {
  const { calls, on } = open('/app/members', {
    'POST /api/person/remove': { status: 409, body: { msg: 'the workspace needs an administrator' } },
  });
  await userEvent.click(await choose('Ada Marsh', /Remove/));
  const dialog = await screen.findByRole('dialog', { name: 'Remove Ada Marsh?' });
  expect(dialog).toHaveTextContent('Signed out at once');
  expect(dialog).toHaveTextContent('Servers, domains, scripts and runs stay');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove member' }));
  expect(await screen.findByText(/the workspace needs an administrator/)).toBeVisible();
  on('POST /api/person/remove', { body: { id: ADA } });
  await userEvent.click(await choose('Ada Marsh', /Remove/));
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'Remove Ada Marsh?' })).getByRole('button', {
      name: 'Remove member',
    }),
  );
  await waitFor(() => expect(bodyOf(calls, '/api/person/remove')).toEqual({ id: ADA }));
});

test('hides the session counts in a view of the past, because only current ones are known', async () => {
  window.history.replaceState(null, '', '/app/members?at=41');
  open('/app/members?at=41');
  expect(await screen.findByRole('columnheader', { name: /Last sign-in/ })).toBeVisible();
  expect(screen.queryByRole('columnheader', { name: /Sessions/ })).toBeNull();
});

test('loads one page of thousands of members and still recognizes the last administrator', async () => {
  const many = Array.from({ length: 5000 }, (_, n) => person(`m${n}`, { name: `Member ${n}` }));
  const { calls } = open('/app/members', { ...answersAboutPeople(people[0] as object, ...many) });
  expect(await screen.findByRole('tab', { name: 'Members (5001)' })).toBeVisible();
  expect(screen.getByText('1–25 of 5,001')).toBeVisible();
  expect(await choose('Ada Marsh', /Remove/)).toHaveTextContent('This is the last administrator.');
  await userEvent.keyboard('{Escape}');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search members' }), 'Member 4321');
  expect(await screen.findByRole('link', { name: 'Member 4321' })).toHaveAttribute(
    'href',
    '/app/members/m4321',
  );
  const asked = () => calls.filter(({ path }) => path === '/api/person/page').map(({ body }) => body);
  expect(asked()).toContainEqual({ former: false, sort: 'name', size: 25 });
  // What was typed before the last figure may have found the same.
  await waitFor(() =>
    expect(asked().at(-1)).toEqual({ former: false, sort: 'name', size: 25, search: 'Member 4321' }),
  );
});

test('changes a role after confirmation', async () => {
  const { calls } = open('/app/members', { 'POST /api/person/role': { body: { id: 'p2' } } });
  await userEvent.click(await choose('Mia Novak', /Make administrator/));
  await userEvent.click(await screen.findByRole('button', { name: 'Make administrator' }));
  await waitFor(() => expect(bodyOf(calls, '/api/person/role')).toEqual({ id: 'p2', role: 'admin' }));
});

test('forgets a former member after the name is typed, and shows a forgotten one without a name', async () => {
  const { calls } = open('/app/members?tab=former', { 'POST /api/person/forget': { body: { id: 'p4' } } });
  expect(await screen.findByRole('row', { name: /Former member/ })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Forget Bob Gone' }));
  const forget = await screen.findByRole('button', { name: 'Forget for good' });
  expect(forget).toBeDisabled();
  await userEvent.type(screen.getByLabelText(/Type Bob Gone/), 'Bob Gone');
  await userEvent.click(forget);
  await waitFor(() => expect(bodyOf(calls, '/api/person/forget')).toEqual({ id: 'p4' }));
});

test('shows an invitation link once, with its code after the #', async () => {
  const { calls } = open('/app/members/invite', {
    'POST /api/invitation/insert': { body: { id: 'i2', code: 'secret-code' } },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Invite' }));
  expect(await screen.findByText(/\/invite#secret-code$/)).toBeVisible();
  expect(bodyOf(calls, '/api/invitation/insert')).toEqual({ role: 'member', via: 'link' });
});

test('shows under its field why an invitation was refused', async () => {
  open('/app/members/invite', {
    'POST /api/invitation/insert': {
      status: 400,
      body: { msg: 'known', data: { email: 'somebody with this e-mail is already a member' } },
    },
  });
  await userEvent.selectOptions(await screen.findByLabelText('How'), 'email');
  await userEvent.click(screen.getByRole('button', { name: 'Invite' }));
  expect(await screen.findByText('This field is required')).toBeVisible();
  await userEvent.type(screen.getByLabelText('E-mail'), 'ada@example.org');
  await userEvent.click(screen.getByRole('button', { name: 'Invite' }));
  expect(await screen.findByText('somebody with this e-mail is already a member')).toBeVisible();
});

test('withdraws an open invitation after confirmation', async () => {
  const { calls } = open('/app/members?tab=invitations', {
    'POST /api/invitation/withdraw': { body: { id: 'i1' } },
  });
  const row = await screen.findByRole('row', { name: /octocat/ });
  expect(within(row).getByText('Ada Marsh')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw the invitation for octocat' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw invitation' }));
  await waitFor(() => expect(bodyOf(calls, '/api/invitation/withdraw')).toEqual({ id: 'i1' }));
});

describe('the page behind an invitation link', () => {
  const offer = { instance: { uuid: 'w', name: 'harbour' }, role: 'member', expiresAt: at };

  test('shows the workspace and role, asks for a name, and lets the person in', async () => {
    const { calls } = answerWith({
      'POST /api/invitation/look': { body: offer },
      'GET /api/auth/providers': { body: [] },
      'POST /api/auth/invitation': { body: sessionOf() },
      'GET /api/session': { body: sessionOf() },
    });
    const { router } = renderRoutes(routes, { at: '/invite#the-code' });
    expect(await screen.findByText('harbour')).toBeVisible();
    expect(screen.getByText('Member')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Join harbour' }));
    expect(await screen.findByText('This field is required')).toBeVisible();
    await userEvent.type(screen.getByLabelText(/Your name/), 'Mia Novak');
    await userEvent.click(screen.getByRole('button', { name: 'Join harbour' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app'));
    expect(bodyOf(calls, '/api/invitation/look')).toEqual({ code: 'the-code' });
    expect(bodyOf(calls, '/api/auth/invitation')).toEqual({ code: 'the-code', name: 'Mia Novak' });
  });

  test('signs in through a provider if there is one, and does not ask for a name', async () => {
    const { calls } = answerWith({
      'POST /api/invitation/look': { body: offer },
      'GET /api/auth/providers': { body: [{ name: 'github', label: 'GitHub' }] },
      'GET /api/auth/sso/github/url': { status: 502, body: { msg: 'GitHub does not answer' } },
    });
    renderRoutes(routes, { at: '/invite#the-code' });
    await userEvent.click(await screen.findByRole('button', { name: 'Join harbour with GitHub' }));
    expect(await screen.findByText(/GitHub does not answer/)).toBeVisible();
    expect(calls.some(({ path }) => path.startsWith('/api/auth/sso/github/url'))).toBe(true);
    expect(screen.queryByLabelText(/Your name/)).toBeNull();
  });

  test('says that an invitation is no longer valid', async () => {
    answerWith({
      'POST /api/invitation/look': { status: 404, body: { msg: 'invitation could not be found' } },
    });
    renderRoutes(routes, { at: '/invite#spent' });
    expect(await screen.findByText('This invitation is no longer valid')).toBeVisible();
  });
});
