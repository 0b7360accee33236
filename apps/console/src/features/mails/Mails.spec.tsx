// covers: MAIL-01
import type { EmailRow, EmailView, ListColumn } from '@quarterdeck/projections';
import { screen, waitFor, within } from '@testing-library/react';
import { onNarrowScreen } from '../../testing/narrow-screen';
import { answerWith } from '../../testing/network';
import { pagesOf } from '../../testing/pages';
import { press } from '../../testing/presses';
import { renderPage, sessionOf } from '../../testing/render';
import { Mails } from '.';

const at = '2026-11-20T12:00:00.000Z';
const ID = '01930000-0000-7000-8000-000000000e01';
const RUN = '01930000-0000-7000-8000-000000000e02';

const row: EmailRow = {
  id: ID,
  uuid: ID,
  product: { id: 'p1' },
  from: 'Shop <shop@example.org>',
  recipients: ['Grace Hopper <grace@example.org>', 'ada@example.org'],
  subject: 'Your order 17',
  source: 'webhook',
  bytes: 2048,
  attachments: 2,
  state: 'parsed',
  logDateAdded: at,
  revision: 1,
};
const email = {
  ...row,
  body: 'It is on its way.',
  cut: false,
  html: true,
  envelope: { from: '', recipients: [] },
  files: [
    { index: 0, name: 'invoice.pdf', type: 'application/pdf', bytes: 1024 },
    { index: 1, name: 'lines.csv', type: 'text/csv', bytes: 3 },
  ],
  resends: [],
  editable: false,
} as unknown as EmailView;
const malformed = {
  ...email,
  from: '',
  recipients: [],
  subject: '',
  state: 'malformed',
  html: false,
  body: '',
};

const columns: readonly ListColumn<EmailRow>[] = [
  { id: 'logDateAdded', value: ({ logDateAdded }) => logDateAdded },
];
const token = {
  id: 't1',
  product: { id: 'p1' },
  fingerprint: 'SHA256:47DEQpj8HBSa',
  issuedAt: at,
  issuedBy: sessionOf().profile.id,
  uses: 3,
};

type Handlers = Parameters<typeof answerWith>[0];
const open = (address: string, handlers: Handlers = {}) => {
  const session = sessionOf('admin');
  const network = answerWith({
    'GET /api/session': { body: session },
    'POST /api/person/list': { body: [] },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/email/page': pagesOf(columns, [row]),
    'POST /api/email/detail': { body: email },
    'POST /api/email/source': { body: { source: 'Subject: Your order 17', cut: false } },
    'POST /api/email/resend': { body: { id: 'e2', uuid: 'e2', runId: RUN } },
    'POST /api/email/intake': {
      body: { smtp: { host: 'mail.example.org', port: 587, tls: true }, maxBytes: 10 * 1024 * 1024 },
    },
    'POST /api/email/token/list': { body: [token] },
    'POST /api/email/token/issue': {
      body: { id: 't2', uuid: 't2', token: 'qd_mail_once', secret: 'qd_sign_once', fingerprint: 'SHA256:x' },
    },
    ...handlers,
  });
  const others = [{ path: '/app/runs/:id', element: <p>the run</p> }];
  const page = <Mails base="" product="p1" />;
  return { ...network, ...renderPage(page, { others, at: address, session }) };
};

test('the list says who got what, and what a malformed e-mail does not say', async () => {
  open('/', {
    'POST /api/email/page': pagesOf(columns, [row, { ...row, ...malformed, id: 'e9' } as EmailRow]),
  });
  const known = await screen.findByRole('row', { name: /Your order 17/ });
  expect(known).toHaveTextContent('Grace Hopper <grace@example.org> and 1 other');
  expect(within(known).getByRole('img', { name: '2 attachments' })).toBeVisible();
  const strange = screen.getByRole('row', { name: /\(no subject\)/ });
  expect(strange).toHaveTextContent(/malformed: source only.*not said.*not said/);
});

test('an e-mail that has only attachments opens with them', async () => {
  open(`/${ID}/edit`, { 'POST /api/email/detail': { body: { ...email, html: false, body: '\n' } } });
  expect(await screen.findByRole('tab', { name: 'Attachments (2)', selected: true })).toBeVisible();
  expect(screen.getByRole('link', { name: 'invoice.pdf' })).toBeVisible();
});

describe('on a narrow screen', () => {
  onNarrowScreen();

  test('the card of an e-mail says that it is malformed', async () => {
    open('', { 'POST /api/email/page': pagesOf(columns, [{ ...row, ...malformed } as EmailRow]) });
    const list = await screen.findByRole('list', { name: 'E-mails' });
    expect(within(list).getByRole('listitem')).toHaveTextContent(/malformed: source only/);
  });
});

test('HTML is shown in a frame that may do nothing, and attachments are downloaded', async () => {
  open(`/${ID}/edit`);
  const frame = await screen.findByTitle('HTML of Your order 17');
  expect(frame).toHaveAttribute('sandbox', '');
  expect(frame).toHaveAttribute('src', `/api/email/html/${ID}`);
  await press(() => screen.getByRole('tab', { name: 'Text' }));
  expect(await screen.findByText('It is on its way.')).toBeVisible();
  await press(() => screen.getByRole('tab', { name: 'Attachments (2)' }));
  expect(await screen.findByRole('link', { name: 'lines.csv' })).toHaveAttribute('download');
});

test('an e-mail that cannot be parsed opens at its source', async () => {
  open(`/${ID}/edit`, { 'POST /api/email/detail': { body: malformed } });
  expect(await screen.findByText('Subject: Your order 17')).toBeVisible();
  expect(screen.queryByRole('tab', { name: 'HTML' })).toBeNull();
});

test('it is sent again to those whom it names if it came without an envelope', async () => {
  const { calls } = open(`/${ID}/resend`);
  expect(await screen.findByLabelText(/Recipients/)).toHaveValue('grace@example.org, ada@example.org');
  await press(() => screen.getByRole('button', { name: 'Resend e-mail' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/email/resend')?.body).toEqual({
      id: ID,
      recipients: ['grace@example.org', 'ada@example.org'],
    }),
  );
});

test('a token is shown once, and how e-mails are sent in', async () => {
  open('/intake');
  expect(await screen.findByText(/mail\.example\.org:587, with STARTTLS/)).toBeVisible();
  await press(() => screen.getByRole('button', { name: 'Issue token' }));
  expect(await screen.findByText('qd_mail_once')).toBeVisible();
  expect(screen.getByText('qd_sign_once')).toBeVisible();
});

test('a token is revoked after a question that says what no longer works', async () => {
  const revoked = { body: { id: 't1', uuid: 't1' } };
  const { calls } = open('/intake', { 'POST /api/email/token/revoke': revoked });
  const sent = () => calls.filter(({ path }) => path === '/api/email/token/revoke').map(({ body }) => body);
  await press(() => screen.getByRole('button', { name: `Revoke ${token.fingerprint}` }));
  const question = await screen.findByRole('dialog');
  expect(question).toHaveTextContent(`Revoke ${token.fingerprint}?`);
  expect(question).toHaveTextContent('This cannot be undone.');
  expect(sent()).toEqual([]);
  await press(() => within(question).getByRole('button', { name: 'Revoke token' }));
  await waitFor(() => expect(sent()).toEqual([{ id: 't1' }]));
  expect(await screen.findByText(`${token.fingerprint} was revoked.`)).toBeVisible();
});
