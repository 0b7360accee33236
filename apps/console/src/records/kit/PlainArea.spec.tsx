/** The default pages of a plain noun. */
import { flag, product, rich, type PlainNoun } from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { IconBox } from '@tabler/icons-react';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { pagesOf } from '../../testing/pages';
import { renderRoutes, sessionOf } from '../../testing/render';
import { PlainArea } from './PlainArea';

const ID = '01930000-0000-7000-8000-000000000a01';
const at = '2026-11-20T12:00:00.000Z';
const by = sessionOf().profile.id;
const view = {
  id: ID,
  name: 'Shop',
  description: '',
  addedAt: at,
  addedBy: by,
  changedAt: at,
  changedBy: by,
  revision: 0,
  position: '5',
  workspace: 'main',
};
const open = (
  address: string,
  rows: object[] = [view],
  noun: PlainNoun = product,
  role: 'admin' | 'member' = 'admin',
) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf(role) },
    'POST /api/person/list': { body: [] },
    'POST /api/product/page': pagesOf(plainColumns(noun), rows as (typeof view)[]),
    'POST /api/product/detail': { body: rows[0] ?? view },
  });
  const element = (
    <PlainArea noun={noun} icon={IconBox} empty="Things will appear here." consequences="It goes." />
  );
  const routes = [{ path: '/app/product/*', element }];
  return { ...network, ...renderRoutes(routes, { at: address, session: sessionOf(role) }) };
};

test('lists the records in a table with a column for each field', async () => {
  open('/app/product');
  const row = await screen.findByRole('row', { name: /Shop/ });
  expect(within(row).getByRole('link', { name: 'Shop' })).toHaveAttribute(
    'href',
    `/app/product/${ID}/detail`,
  );
  const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(headers).toEqual(expect.arrayContaining(['Name', 'Description', 'Changed by', 'Changed']));
});

test('requests one page of records, searched and sorted by the back end', async () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...view,
    id: `${ID}${index}`,
    name: `Shop ${index}`,
  }));
  const { calls, router } = open('/app/product?sort=-name', many);
  expect(await screen.findByText('1–25 of 60')).toBeVisible();
  expect(screen.getAllByRole('row')[1]).toHaveTextContent('Shop 59');
  await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
  expect(await screen.findByText('51–60 of 60')).toBeVisible();
  await userEvent.type(screen.getByRole('searchbox'), 'shop 5');
  expect(await screen.findByText('11 found, 49 filtered out')).toBeVisible();
  expect(router.state.location.search).toBe('?sort=-name&q=shop+5');
  const asked = calls.filter(({ path }) => path === '/api/product/page').map(({ body }) => body);
  expect(asked).toContainEqual({ sort: '-name', size: 25 });
  expect(asked).toContainEqual({ sort: '-name', page: 3, size: 25 });
  expect(asked.at(-1)).toEqual({ search: 'shop 5', sort: '-name', size: 25 });
  expect(calls.some(({ path }) => path === '/api/product/list')).toBe(false);
});

test('says in an empty list what will appear, and offers to add the first record', async () => {
  open('/app/product', []);
  expect(await screen.findByText('No products yet')).toBeVisible();
  expect(screen.getByText('Things will appear here.')).toBeVisible();
  expect(screen.getAllByRole('link', { name: 'Add new' })[0]).toHaveAttribute('href', '/app/product/add');
});

test('shows the fields of a record and edits them in place', async () => {
  open(`/app/product/${ID}/detail`);
  expect(await screen.findByText('none')).toBeVisible();
  await userEvent.click(screen.getByText('Edit', { exact: true }));
  expect(await screen.findByRole('form', { name: 'Edit product' })).toBeVisible();
});

const pinnable = rich(product, {
  state: { pinned: flag() },
  commands: (command) => ({
    pin: command('ProductPinned', {
      takes: {},
      says: () => 'pinned',
      refuses: (_, { description }) => (description === '' ? 'It has no description.' : undefined),
      sets: () => ({ pinned: true }),
    }),
    unpin: command('ProductUnpinned', { takes: {}, says: () => 'unpinned', sets: () => ({ pinned: false }) }),
  }),
}) as unknown as PlainNoun;

test.each([
  [{ description: 'Orders', pinned: false }, 'Pin', false],
  [{ description: '', pinned: false }, 'Pin', true],
  [{ description: '', pinned: true }, 'Unpin', false],
])('offers the commands that would change the record %j', async (more, label, isDisabled) => {
  open(`/app/product/${ID}/detail`, [{ ...view, ...more }], pinnable);
  expect(await screen.findByText('Pinned')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  const items = await screen.findAllByRole('menuitem');
  const commands = items.filter(({ textContent }) => /pin/i.test(textContent ?? ''));
  expect(commands.map(({ textContent }) => textContent?.split('It has')[0])).toEqual([label]);
  expect(commands[0]?.hasAttribute('data-disabled')).toBe(isDisabled);
});

test.each([
  ['member' as const, true],
  ['admin' as const, false],
])('lets members change what %ss change: %j', async (changedBy, isOffered) => {
  const noun = { ...product, audience: 'member', changedBy } as unknown as PlainNoun;
  const { router } = open('/app/product', [view], noun, 'member');
  expect(await screen.findByRole('row', { name: /Shop/ })).toBeVisible();
  expect(screen.queryAllByRole('link', { name: 'Add new' }).length > 0).toBe(isOffered);
  await act(() => router.navigate(`/app/product/${ID}/detail?mode=edit`));
  const shown = isOffered ? screen.findByRole('form', { name: 'Edit product' }) : screen.findByText('none');
  expect(await shown).toBeVisible();
});
