/** The default pages of a plain noun. */
import { plainCalls } from '@quarterdeck/contract';
import {
  choice,
  enumeration,
  flag,
  group,
  json,
  namedEnumeration,
  product,
  rich,
  text,
  type PlainNoun,
} from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { IconBox } from '@tabler/icons-react';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith, type Call, type Reply } from '../../testing/network';
import { pagesOf } from '../../testing/pages';
import { renderRoutes, sessionOf } from '../../testing/render';
import { RecordArea } from './RecordArea';

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
  replies: Parameters<typeof answerWith>[0] = {},
) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf(role) },
    'POST /api/person/list': { body: [] },
    'POST /api/product/page': pagesOf(plainColumns(noun), rows as (typeof view)[]),
    'POST /api/product/detail': { body: rows[0] ?? view },
    ...replies,
  });
  const element = (
    <RecordArea noun={noun} icon={IconBox} empty="Things will appear here." consequences="It goes." />
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

describe('a command with input', () => {
  const described = rich(product, {
    commands: (command) => ({
      describe: command('ProductDescribed', {
        takes: { description: text(20), tone: choice(['plain', 'warm'], { label: 'Tone' }) },
        label: 'Describe it',
        says: ({ tone }) => `described in ${tone} words`,
      }),
    }),
  }) as unknown as PlainNoun;
  // No listed noun has such a command yet, so the contract lends the call that restores.
  Object.assign(plainCalls['product']!, { describe: plainCalls['product']!['restore'] });

  const ask = async (reply: (call: Call) => Reply) => {
    const shown = { ...view, description: 'Orders', tone: undefined, revision: 4 };
    const opened = open(`/app/product/${ID}/detail`, [shown], described, 'admin', {
      'POST /api/product/restore': reply,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Describe it' }));
    const dialog = await screen.findByRole('dialog', { name: 'Describe it: Shop' });
    return { ...opened, form: within(within(dialog).getByRole('form', { name: 'Describe it' })) };
  };
  const submit = (form: ReturnType<typeof within>) =>
    userEvent.click(form.getByRole('button', { name: 'Describe it' }));

  it('asks for it in a dialog that begins with what the record has, and sends it', async () => {
    const { form, calls } = await ask(() => ({ body: { id: ID, uuid: ID } }));
    expect(form.getByLabelText('Description')).toHaveValue('Orders');
    await submit(form);
    expect(await form.findByText('This field is required')).toBeVisible();
    await userEvent.selectOptions(form.getByLabelText('Tone'), 'warm');
    await submit(form);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const sent = calls.filter(({ path }) => path === '/api/product/restore').map(({ body }) => body);
    expect(sent).toEqual([{ id: ID, revision: 4, data: { description: 'Orders', tone: 'warm' } }]);
  });

  it('keeps the input when it is refused, and says why', async () => {
    const headers = { 'x-correlation-id': ID };
    const body = { code: 'conflict', msg: 'it is sold out' };
    const { form } = await ask(() => ({ status: 409, headers, body }));
    await userEvent.selectOptions(form.getByLabelText('Tone'), 'plain');
    await submit(form);
    expect(await form.findByText(/it is sold out/i)).toBeVisible();
    expect(form.getByText(/Nothing was changed/)).toBeVisible();
    expect(form.getByLabelText('Tone')).toHaveValue('plain');
  });

  it('is closed without sending anything', async () => {
    const { form, calls } = await ask(() => ({ body: {} }));
    await userEvent.click(form.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.some(({ path }) => path === '/api/product/restore')).toBe(false);
  });
});

describe('groups, JSON and enumerations that are answered with their names', () => {
  const noun = {
    ...product,
    fields: {
      name: text(100),
      isInput: flag(),
      type: namedEnumeration(['banner', 'login']),
      input: group(
        { key: text(50), place: enumeration(['payload', 'headers']) },
        { when: ['isInput', true] },
      ),
      graph: json({ type: 'object', required: ['start'], properties: { start: { type: 'string' } } }),
    },
  } as unknown as PlainNoun;
  const shown = {
    ...view,
    isInput: true,
    type: { id: 2, name: 'login' },
    input: { key: 'sku', place: 2 },
    graph: { start: 'a' },
  };

  it('are shown in words in the list and on the page', async () => {
    const { router } = open('/app/product', [shown], noun);
    const row = await screen.findByRole('row', { name: /Shop/ });
    expect(row).toHaveTextContent(/login.*sku, headers/);
    expect(screen.queryByRole('columnheader', { name: 'Graph' })).toBeNull();
    await act(() => router.navigate(`/app/product/${ID}/detail`));
    expect(await screen.findByText('sku, headers')).toBeVisible();
    expect(screen.getByText('{"start":"a"}')).toBeVisible();
  });

  it('are edited in the form, and sent as the call takes them', async () => {
    const { calls } = open(`/app/product/${ID}/detail?mode=edit`, [shown], noun, 'admin', {
      'POST /api/product/update': { body: { id: ID, uuid: ID } },
    });
    const form = within(await screen.findByRole('form', { name: 'Edit product' }));
    expect(form.getByLabelText('Type')).toHaveValue('2');
    const input = within(form.getByRole('group', { name: 'Input' }));
    expect(input.getByLabelText('Place')).toHaveValue('2');
    await userEvent.selectOptions(form.getByLabelText('Type'), 'banner');
    await userEvent.clear(input.getByLabelText('Key'));
    await userEvent.clear(form.getByLabelText('Graph'));
    await userEvent.type(form.getByLabelText('Graph'), 'start');
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByText('JSON is expected, such as {"name": "value"}')).toBeVisible();
    expect(input.getByText('This field is required')).toBeVisible();
    await userEvent.type(input.getByLabelText('Key'), 'colour');
    await userEvent.clear(form.getByLabelText('Graph'));
    await userEvent.click(form.getByLabelText('Graph'));
    await userEvent.paste('{"start": "b"}');
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    const sent = () => calls.filter(({ path }) => path === '/api/product/update').map(({ body }) => body);
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()).toEqual([
      {
        id: ID,
        revision: 0,
        data: {
          name: 'Shop',
          isInput: true,
          type: { id: 1 },
          input: { key: 'colour', place: 2 },
          graph: { start: 'b' },
        },
      },
    ]);
  });

  it('leave a group out while the field that it depends on has another value', async () => {
    open('/app/product/add', [], noun);
    const form = within(await screen.findByRole('form', { name: 'Add product' }));
    expect(form.queryByRole('group', { name: 'Input' })).toBeNull();
    await userEvent.click(form.getByLabelText('Is input'));
    expect(await form.findByRole('group', { name: 'Input' })).toBeVisible();
  });
});
