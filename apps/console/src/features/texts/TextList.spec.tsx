// covers: I18N-01, CMS-01
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { instantChosen } from '../../core/as-of/as-of-state';
import { pagesOf } from '../../testing/pages';
import { openTexts, PRODUCT, rowOf, TEXT, textColumns } from '../../testing/texts';

beforeEach(() => {
  // jsdom has no layout.
  jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => jest.restoreAllMocks());

const NUMBERED = Array.from({ length: 20_000 }, (_, at) =>
  rowOf({ id: `${TEXT}-${at}`, key: `key.${String(at).padStart(5, '0')}`, english: `Text ${at}` }),
);
const of = { product: { id: PRODUCT }, isCms: false, size: 100 };

test('shows each key with its English text and the languages that it has', async () => {
  openTexts({ 'POST /api/i18n/page': pagesOf(textColumns, [rowOf({ states: 'rtommmmmmmmmmm' })]) });
  const row = (await screen.findByRole('link', { name: 'basket.total' })).closest<HTMLElement>(
    '[role="row"]',
  );
  expect(row).toHaveTextContent('Total: {amount}');
  expect(within(row as HTMLElement).getByText('3 of 14 languages, 1 outdated')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'basket.total' })).toHaveAttribute('href', `/${TEXT}/detail`);
});

test('of 20,000 keys, only those in view are on the page, and only their pages are fetched', async () => {
  const { sent } = openTexts({ 'POST /api/i18n/page': pagesOf(textColumns, NUMBERED) });
  const table = await screen.findByRole('table', { name: 'I18n' });
  expect(table).toHaveAttribute('aria-rowcount', '20001');
  expect(await screen.findByText('20,000')).toBeVisible();
  expect(screen.getAllByRole('row').length).toBeLessThan(40);
  act(() => {
    table.scrollTop = 37 * 12_345;
    fireEvent.scroll(table);
  });
  expect(await screen.findByRole('link', { name: 'key.12345' })).toBeVisible();
  expect(sent('page')).toContainEqual({ ...of, page: 124 });
  expect(sent('page').length).toBeLessThan(5);
});

test('pages that a fast scroll only passes are not fetched', async () => {
  const { sent } = openTexts({ 'POST /api/i18n/page': pagesOf(textColumns, NUMBERED) });
  const table = await screen.findByRole('table', { name: 'I18n' });
  await screen.findByRole('link', { name: 'key.00000' });
  for (let page = 1; page <= 50; page += 1) {
    table.scrollTop = 37 * 100 * page;
    fireEvent.scroll(table);
  }
  expect(await screen.findByRole('link', { name: 'key.05000' })).toBeVisible();
  expect(sent('page').length).toBeLessThan(10);
});

test('the arrow keys go from key to key', async () => {
  openTexts({ 'POST /api/i18n/page': pagesOf(textColumns, NUMBERED) });
  (await screen.findByRole('link', { name: 'key.00000' })).focus();
  await userEvent.keyboard('{ArrowDown}');
  await waitFor(() => expect(screen.getByRole('link', { name: 'key.00001' })).toHaveFocus());
  await userEvent.keyboard('{ArrowUp}');
  await waitFor(() => expect(screen.getByRole('link', { name: 'key.00000' })).toHaveFocus());
});

test('the End key goes to the last key, whose page has not been fetched yet', async () => {
  // jsdom neither lays out nor scrolls.
  jest.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(37 * 20_001);
  openTexts({ 'POST /api/i18n/page': pagesOf(textColumns, NUMBERED) });
  const table = await screen.findByRole('table', { name: 'I18n' });
  Object.assign(table, {
    scrollTo: ({ top = 0 }: ScrollToOptions) => {
      table.scrollTop = top;
      fireEvent.scroll(table);
    },
  });
  (await screen.findByRole('link', { name: 'key.00000' })).focus();
  await userEvent.keyboard('{End}');
  await waitFor(() => expect(screen.getByRole('link', { name: 'key.19999' })).toHaveFocus());
});

test('shows that an English text goes on', async () => {
  const rows = [
    rowOf({ id: `${TEXT}-1`, key: 'long', english: 'x'.repeat(50) }),
    rowOf({ id: `${TEXT}-2`, key: 'short', english: 'y'.repeat(49) }),
  ];
  openTexts({ 'POST /api/i18n/page': pagesOf(textColumns, rows) });
  expect(await screen.findByText(`${'x'.repeat(50)}…`)).toBeVisible();
  expect(screen.getByText('y'.repeat(49))).toBeVisible();
});

test('searches, and narrows by language and state; the address has both', async () => {
  const { sent, router } = openTexts({ 'POST /api/i18n/page': pagesOf(textColumns, NUMBERED) });
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Search keys and texts' }), '.0001');
  expect(await screen.findByText('10 found')).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'in French');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Not reviewed');
  await waitFor(() =>
    expect(sent('page')).toContainEqual({
      ...of,
      search: '.0001',
      language: 2,
      states: ['translated', 'outdated'],
      page: 1,
    }),
  );
  expect(router.state.location.search).toBe('?q=.0001&language=fr&is=unreviewed');
});

test('says what will appear, and offers the first step', async () => {
  openTexts({ 'POST /api/i18n/page': pagesOf(textColumns, []) }, { isCms: true });
  expect(await screen.findByText('No contents yet')).toBeVisible();
  expect(screen.getAllByRole('link', { name: 'Add content' })[0]).toHaveAttribute('href', '/add');
});

test('in the past, nothing can be added', async () => {
  const { store } = openTexts({});
  await screen.findByRole('link', { name: 'basket.total' });
  act(() => void store.dispatch(instantChosen({ at: '2026-11-01T00:00:00.000Z' })));
  expect(screen.getByRole('link', { name: 'Add text' }).closest('[inert]')).not.toBeNull();
  expect(screen.getByRole('link', { name: 'Export' }).closest('[inert]')).toBeNull();
});
