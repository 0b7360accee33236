// covers: NOTIF-01
import { notification } from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { onNarrowScreen } from '../../testing/narrow-screen';
import { answerWith } from '../../testing/network';
import { pagesOf } from '../../testing/pages';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';
import { Notifications } from '.';

const PRODUCT = '01930000-0000-7000-8000-000000000a01';
const TEXT = '01930000-0000-7000-8000-000000000b01';
const base = `/app/product/${PRODUCT}/detail/notification`;
const at = '2026-11-20T12:00:00.000Z';
const by = sessionOf().profile.id;

const inUtc = (local: string) => `${new Date(local).toISOString().slice(0, 16)}Z`;

const viewOf = (id: string, fields: object) => ({
  id,
  name: 'banner',
  product: PRODUCT,
  type: { id: 1, name: 'banner' },
  status: { id: 1, name: 'pending' },
  cms: { id: TEXT, name: 'sale', uuid: TEXT, key: 'sale' },
  isValidationRequired: false,
  dateStart: '',
  dateEnd: '',
  addedAt: at,
  addedBy: by,
  changedAt: at,
  changedBy: by,
  revision: 0,
  position: '5',
  workspace: 'main',
  ...fields,
});
const shownOf = (uuid: string, fields: object) => {
  const { type, status, isValidationRequired, dateStart, dateEnd } = viewOf(uuid, {});
  const cms = { uuid: TEXT, key: 'sale' };
  return {
    uuid,
    type,
    status,
    cms,
    isValidationRequired,
    dateStart,
    dateEnd,
    language: 'fr',
    text: 'Soldes',
    ...fields,
  };
};

const open = (
  address = '',
  replies: Parameters<typeof answerWith>[0] = {},
  rows: object[] = [viewOf('n1', {})],
) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf() },
    'POST /api/person/list': { body: [] },
    'POST /api/person/names': { body: [] },
    'POST /api/notification/page': pagesOf(plainColumns(notification), rows as never),
    'POST /api/notification/detail': { body: rows[0] },
    'POST /api/i18n/page': {
      body: { rows: [{ id: TEXT, key: 'sale' }], total: 1, found: 1, options: {} },
    },
    ...replies,
  });
  const element = (
    <Notifications
      base={base}
      product={PRODUCT}
      says={(text, { lang, dir }) => (
        <p lang={lang} dir={dir}>
          {text}
        </p>
      )}
      textPath={(id) => `/cms/${id}`}
    />
  );
  return {
    ...network,
    ...renderRoutes([{ path: `${base}/*`, element }], { at: `${base}${address}`, session: sessionOf() }),
  };
};

test('the list shows type, status, CMS text and whether users have to confirm it', async () => {
  open('', {}, [
    viewOf('n1', { isValidationRequired: true }),
    viewOf('n2', { name: 'login until 2020-01-01', type: { id: 2, name: 'login' }, dateEnd: '2020-01-01' }),
    viewOf('n3', { name: 'other from 2999-01-01', type: { id: 4, name: 'other' }, dateStart: '2999-01-01' }),
  ]);
  const rows = await screen.findAllByRole('row', { name: /pending/ });
  expect(rows.map((row) => within(row).getByText(/^(shown now|over|upcoming)$/).textContent)).toEqual([
    'shown now',
    'over',
    'upcoming',
  ]);
  expect(rows[0]).toHaveTextContent(/banner.*pending.*sale.*yes/);
  expect(within(rows[0]!).getByRole('link', { name: 'sale' })).toHaveAttribute('href', `/cms/${TEXT}`);
});

describe('on a narrow screen', () => {
  onNarrowScreen();

  test('a card says what is shown, and whether it is shown now', async () => {
    open('', {}, [viewOf('n1', {}), viewOf('n2', { name: 'login until 2020-01-01', dateEnd: '2020-01-01' })]);
    const [first, second] = within(await screen.findByRole('list', { name: 'Notifications' })).getAllByRole(
      'listitem',
    );
    expect(first).toHaveTextContent(/banner.*Status.*shown now.*CMS.*sale/);
    expect(second).toHaveTextContent(/banner until 2 Jan 2020, 00:00.*Status.*over/);
  });
});

test('a notification is added with a CMS text of the product, and not with an end before its start', async () => {
  const { calls } = open('/add', { 'POST /api/notification/insert': { body: { id: 'n1', uuid: 'n1' } } });
  const form = within(await screen.findByRole('form', { name: 'Add notification' }));
  await userEvent.selectOptions(form.getByLabelText('Type'), 'login');
  expect(form.getByLabelText('Status')).toHaveDisplayValue('pending');
  await waitFor(() => expect(form.getByRole('option', { name: 'sale' })).toBeInTheDocument());
  await userEvent.selectOptions(form.getByLabelText('CMS'), 'sale');
  // jsdom cannot type into such an input.
  const enter = (label: RegExp, value: string) =>
    fireEvent.change(form.getByLabelText(label), { target: { value } });
  enter(/^Start/, '2026-12-24T18:00');
  enter(/^End/, '2026-12-24T17:59');
  expect(form.getAllByText(/Time zone: \S+\.$/)).toHaveLength(2);
  await press(() => form.getByRole('button', { name: 'Save notification' }));
  expect(await form.findByText(/it would end before it starts/)).toBeVisible();
  enter(/^End/, '2026-12-24T18:01');
  await press(() => form.getByRole('button', { name: 'Save notification' }));
  const sent = () => calls.filter(({ path }) => path === '/api/notification/insert').map(({ body }) => body);
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()).toEqual([
    {
      data: {
        type: { id: 2 },
        status: { id: 1 },
        cms: { id: TEXT },
        isValidationRequired: false,
        dateStart: inUtc('2026-12-24T18:00'),
        dateEnd: inUtc('2026-12-24T18:01'),
      },
      product: { id: PRODUCT },
    },
  ]);
  const [asked] = calls.filter(({ path }) => path === '/api/i18n/page').map(({ body }) => body);
  expect(asked).toMatchObject({ product: { id: PRODUCT }, isCms: true });
});

test('the form of a notification begins with what it has, and keeps what is not changed', async () => {
  const stored = [viewOf('n1', { dateStart: '2026-12-24T18:00:30Z', dateEnd: '2026-12-31' })];
  const answer = { 'POST /api/notification/update': { body: { id: 'n1' } } };
  const { calls } = open('/n1/detail?mode=edit', answer, stored);
  const form = within(await screen.findByRole('form', { name: 'Edit notification' }));
  await waitFor(() => expect(form.getByLabelText('CMS')).toHaveDisplayValue('sale'));
  // A day as an end counts as a whole.
  const shown = [/^Start/, /^End/].map((label) => form.getByLabelText<HTMLInputElement>(label).value);
  expect(shown.map((local) => new Date(local).toISOString())).toEqual([
    '2026-12-24T18:00:30.000Z',
    '2027-01-01T00:00:00.000Z',
  ]);
  await press(() => form.getByLabelText('Is validation required'));
  await press(() => form.getByRole('button', { name: 'Save' }));
  const sent = () => calls.filter(({ path }) => path === '/api/notification/update').map(({ body }) => body);
  await waitFor(() => expect(sent()).toHaveLength(1));
  const { dateStart, dateEnd } = stored[0]!;
  expect(sent()).toMatchObject([
    { id: 'n1', data: { cms: { id: TEXT }, isValidationRequired: true, dateStart, dateEnd } },
  ]);
});

describe('the preview', () => {
  const all = [
    shownOf('n1', { isValidationRequired: true, dateEnd: '2031-12-26' }),
    shownOf('n2', {
      type: { id: 2, name: 'login' },
      dateStart: '2031-12-24T18:00Z',
      language: 'en',
      text: 'Sale',
    }),
    shownOf('n3', { type: { id: 4, name: 'other' }, text: undefined, language: undefined }),
  ];
  const answer = { 'POST /api/notification/preview': { body: all } };
  const shown = async () =>
    within(await screen.findByRole('list', { name: 'Shown notifications' })).getAllByRole('listitem');

  test('shows what is due at a time, and why the others are not', async () => {
    const { calls } = open('/preview?language=fr&time=2031-12-24T12:00', answer);
    const cards = await shown();
    expect(cards).toHaveLength(1);
    expect(cards[0]).toHaveTextContent(/banner.*Soldes.*sale · users have to confirm it/);
    const others = within(screen.getByRole('list', { name: 'Notifications that are not shown' }));
    expect(others.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^login sale: begins /),
      'other sale: has no text in French or English',
    ]);
    expect(calls.find(({ path }) => path === '/api/notification/preview')?.body).toEqual({
      product: { id: PRODUCT },
      language: 2,
    });
  });

  test('says where a text is English instead', async () => {
    open('/preview?language=fr&time=2031-12-25T12:00', answer);
    const cards = await shown();
    expect(cards.map((card) => within(card).getByText(/^(Soldes|Sale)$/).lang)).toEqual(['fr', 'en']);
    expect(cards[1]).toHaveTextContent('in English: it has no text in French');
  });

  test('follows the language, and begins with the present', async () => {
    const { calls, router } = open('/preview', answer);
    expect(await shown()).toHaveLength(1);
    await userEvent.selectOptions(screen.getByLabelText('Language'), 'Arabic');
    expect(router.state.location.search).toBe('?language=ar');
    const asked = () =>
      calls.filter(({ path }) => path === '/api/notification/preview').map(({ body }) => body);
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ language: 11 }));
  });

  test('says that there is nothing', async () => {
    open('/preview', { 'POST /api/notification/preview': { body: [] } });
    expect(await screen.findByText('This product has no notifications yet.')).toBeVisible();
  });
});
