/** covers: AUTH-08, AUTH-09, SHELL-06, SHELL-07 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { TokenValidity } from '@quarterdeck/projections';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { clearNotices } from '../../ui/toast';
import { CredentialBanner } from '.';
import CredentialsSection from './CredentialsSection';

const missing: TokenValidity = {
  scopes: [],
  expirationDate: null,
  dateValid: false,
  scopesOk: false,
  expectedScopes: ['repo', 'read:packages'],
  warnings: ['A username for the source host was not given', 'A token was not given'],
  notes: [],
  tokenPage: 'https://github.com/settings/tokens',
};
const good: TokenValidity = {
  ...missing,
  scopes: ['repo', 'read:packages'],
  expirationDate: '2027-01-15T00:00:00.000Z',
  dateValid: true,
  scopesOk: true,
  daysLeft: 1,
  warnings: [],
  checkedAt: '2026-11-20T12:00:00.000Z',
};
const storedAt = '2026-11-20T12:00:00.000Z';

const open = (validity: TokenValidity = missing, handlers: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({
    'GET /api/profile/gh-username/get': { body: { value: '' } },
    'GET /api/profile/gh-token/get': { body: { value: '' } },
    'GET /api/profile/token/validity': { body: validity },
    'POST /api/profile/gh-username/update': { body: {} },
    'POST /api/profile/gh-token/update': { body: {} },
    'GET /api/profile/gh-token/delete': { body: {} },
    ...handlers,
  });
  return { ...network, ...renderPage(<CredentialsSection />, { session: sessionOf('admin') }) };
};

const valueOf = async (label: string) => within(await screen.findByRole('region', { name: label }));

test('adds each of the two values in its own place', async () => {
  const { on, calls } = open();
  expect(await screen.findByText(/‘package:read’ and ‘repos’/)).toBeVisible();
  expect(await screen.findByRole('link', { name: /token page/ })).toHaveAttribute('href', missing.tokenPage);
  expect(await screen.findByText('A token was not given')).toBeVisible();
  const name = await valueOf('GH Username');
  await userEvent.click(await name.findByRole('button', { name: 'Edit GH Username' }));
  await userEvent.type(await name.findByPlaceholderText('Add Value here'), 'octo cat');
  await userEvent.click(name.getByRole('button', { name: 'Save' }));
  expect(await name.findByText(/a GitHub user name is expected/)).toBeVisible();
  await userEvent.clear(name.getByPlaceholderText('Add Value here'));
  await userEvent.type(name.getByPlaceholderText('Add Value here'), 'octocat');
  on('GET /api/profile/gh-username/get', { body: { value: 'octocat', storedAt } });
  await userEvent.click(name.getByRole('button', { name: 'Save' }));
  expect(await name.findByText('octocat')).toBeVisible();
  const token = await valueOf('GH Token');
  await userEvent.click(await token.findByRole('button', { name: 'Edit GH Token' }));
  const input = await token.findByPlaceholderText('Add Value here');
  expect(input).toHaveAttribute('type', 'password');
  await userEvent.type(input, 'ghp_0123');
  on('GET /api/profile/gh-token/get', { body: { value: '*******', storedAt, fingerprint: 'SHA256:abc' } });
  on('GET /api/profile/token/validity', { body: good });
  await userEvent.click(token.getByRole('button', { name: 'Save' }));
  expect(await token.findByText('*******')).toBeVisible();
  expect(token.getByText('SHA256:abc')).toBeVisible();
  expect(await screen.findByText('2027-01-15, 1 day left')).toBeVisible();
  expect(screen.queryByText('A token was not given')).not.toBeInTheDocument();
  expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { value: 'octocat' },
    { value: 'ghp_0123' },
  ]);
});

test('deletes a value after confirmation, and only if there is one', async () => {
  const { on, calls } = open();
  const token = await valueOf('GH Token');
  await userEvent.click(await token.findByRole('button', { name: 'Delete GH Token' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  on('GET /api/profile/gh-token/get', { body: { value: '*******', storedAt } });
  await userEvent.click(token.getByRole('button', { name: 'Edit GH Token' }));
  await userEvent.type(await token.findByPlaceholderText('Add Value here'), 'x');
  await userEvent.click(token.getByRole('button', { name: 'Save' }));
  await token.findByText('*******');
  await userEvent.click(token.getByRole('button', { name: 'Delete GH Token' }));
  const question = await screen.findByRole('dialog');
  expect(within(question).getByText('Are you sure you would like to delete this value?')).toBeVisible();
  on('GET /api/profile/gh-token/get', { body: { value: '' } });
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));
  expect(await token.findByText('Not set')).toBeVisible();
  expect(calls.filter(({ path }) => path.endsWith('/delete'))).toHaveLength(1);
});

test('keeps a value that could not be deleted, and shows the refusal next to it', async () => {
  open(good, {
    'GET /api/profile/gh-token/get': { body: { value: '*******', storedAt } },
    'GET /api/profile/gh-token/delete': { status: 503, body: { msg: 'Nothing was changed' } },
  });
  const token = await valueOf('GH Token');
  await userEvent.click(await token.findByRole('button', { name: 'Delete GH Token' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  expect(await token.findByRole('alert')).toHaveTextContent(/GH Token was not deleted.*Nothing was changed/);
});

test('says when the source host could not be asked about the token', async () => {
  const note =
    'The source host could not be reached: it answered with status 503. Nothing is known about the token yet.';
  open({ ...missing, dateValid: null, scopesOk: null, warnings: [], notes: [note] });
  expect(await screen.findByText(note)).toBeVisible();
  expect(screen.queryByText(/expired/)).not.toBeInTheDocument();
});

describe('the banner', () => {
  let kept: object[] = [];
  const show = (validity: TokenValidity) => {
    const network = answerWith({
      'GET /api/profile/token/validity': { body: validity },
      'POST /api/notice/memory': () => ({ body: kept }),
      'POST /api/notice/remember': ({ body }) => {
        const { notices, state } = body as { notices: object[]; state: string };
        kept = notices.map((notice) => ({ ...notice, state }));
        return { body: {} };
      },
    });
    return { ...network, ...renderPage(<CredentialBanner />, { session: sessionOf('admin') }) };
  };
  beforeEach(() => {
    kept = [];
    clearNotices();
  });

  test('links to the settings when credentials are missing, and stays closed until the warning changes', async () => {
    const first = show(missing);
    expect(await screen.findByText(/the source-host credentials are not inserted/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Click here' })).toHaveAttribute('href', '/app/profile/settings');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    first.unmount();
    const again = show(missing);
    await waitFor(() => expect(again.calls).toHaveLength(2));
    expect(screen.queryByText(/not inserted/)).not.toBeInTheDocument();
    again.unmount();
    show({ ...missing, warnings: ['Token expired: 2026-11-19'] });
    expect(await screen.findByText(/Token expired: 2026-11-19/)).toBeVisible();
  });

  test('is not shown when all is well', async () => {
    const { calls } = show(good);
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(screen.queryByRole('link', { name: 'Click here' })).not.toBeInTheDocument();
  });
});
