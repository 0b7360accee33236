// covers: DM-01, DM-02, OPT-01
import { attribute, optionSetValue, type PlainNoun } from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../../testing/network';
import { pagesOf } from '../../../testing/pages';
import { press } from '../../../testing/presses';
import { renderRoutes, sessionOf } from '../../../testing/render';
import { RecordArea } from '..';
import { IconBox } from '@tabler/icons-react';

const idOf = (end: string) => `01930000-0000-7000-8000-000000000a${end}`;
const [PRODUCT, ENTITY, MAIL, SHOP] = ['01', '02', '03', '04'].map(idOf) as [string, string, string, string];
const record = {
  workspace: 'main',
  addedAt: '2026-11-20T10:00:00.000Z',
  addedBy: 'x',
  changedAt: '2026-11-20T10:00:00.000Z',
  changedBy: 'x',
  revision: 3,
  position: '7',
};
const mail = {
  ...record,
  id: MAIL,
  uuid: MAIL,
  entity: ENTITY,
  name: 'Mail',
  column: '',
  type: 1,
  optional: false,
  foreignEntity: null,
  modelOptionSet: null,
  native: null,
};
const value = { ...record, id: MAIL, uuid: MAIL, optionSet: ENTITY, key: 7, value: 'open' };
const shop = { ...record, id: SHOP, uuid: SHOP, product: PRODUCT, name: 'Shop' };

const derived = {
  column: ({ name = '', type }: Readonly<Record<string, unknown>>) =>
    name === '' ? undefined : `${String(name).toLowerCase()}_${String(type)}`,
};

const open = (noun: PlainNoun = attribute as unknown as PlainNoun, rows: object[] = [mail], at = '/rows') => {
  const { path } = noun;
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/person/list': { body: [] },
    'POST /api/person/names': { body: [] },
    [`POST /api/${path}/list`]: { body: rows },
    'POST /api/data-model/entity/page': pagesOf([{ id: 'name', value: ({ name }) => name }], [shop]),
    'POST /api/data-model/option-set/page': pagesOf(plainColumns(noun), []),
  });
  const element = (
    <RecordArea
      noun={noun}
      base="/parts"
      parents={{ product: PRODUCT, entity: ENTITY, optionSet: ENTITY }}
      icon={IconBox}
      empty="Things will appear here."
      consequences="It goes."
      derived={derived}
    />
  );
  const page = renderRoutes([{ path: '/parts/*', element }], {
    at: `/parts${at}`,
    session: sessionOf('admin'),
  });
  const sent = (call: string) =>
    network.calls.filter((one) => one.path === `/api/${path}/${call}`).map(({ body }) => body);
  return { ...network, ...page, sent };
};
const cell = (name: string, row: number) => screen.findByLabelText(`${name}, row ${row}`);

test('Enter saves the row and goes on in the next one, which is there at once', async () => {
  const { on, sent } = open();
  on('POST /api/data-model/attribute/insert', { body: { id: SHOP, uuid: SHOP } });
  await userEvent.type(await cell('Name', 2), 'Note');
  await userEvent.selectOptions(await cell('Type', 2), 'Int');
  on('POST /api/data-model/attribute/list', { body: [mail, { ...mail, id: SHOP, name: 'Note', type: 2 }] });
  await userEvent.type(await cell('Name', 2), '{Enter}');
  await waitFor(async () => expect(await cell('Name', 3)).toHaveFocus());
  await waitFor(() => expect(screen.queryByLabelText('Name, row 4')).toBeNull());
  expect(sent('insert')).toEqual([
    {
      entity: { id: ENTITY },
      data: expect.objectContaining({ name: 'Note', type: 2, optional: false }),
    },
  ]);
});

test('an edited row is saved with the revision it was typed upon, and a conflict says what is there now', async () => {
  const { on, sent } = open();
  const theirs = { ...mail, revision: 4, optional: true };
  on('POST /api/data-model/attribute/update', { status: 409, body: { msg: 'changed', current: theirs } });
  await userEvent.type(await cell('Name', 1), 's');
  await press(() => screen.getByRole('button', { name: 'Save row' }));
  expect(
    await screen.findByText(
      'It was changed meanwhile: Name: Mail, Optional: yes. Save it again to replace that.',
    ),
  ).toBeVisible();
  on('POST /api/data-model/attribute/update', { body: { id: MAIL, uuid: MAIL } });
  await press(() => screen.getByRole('button', { name: 'Save row' }));
  await waitFor(() => expect(sent('update')).toHaveLength(2));
  expect(sent('update').map((body) => (body as { revision: number }).revision)).toEqual([3, 4]);
});

test('rows of a spreadsheet become rows, and only those that can be read are saved', async () => {
  const { on, sent } = open();
  on('POST /api/data-model/attribute/insert', { body: { id: SHOP, uuid: SHOP } });
  const text = 'Name\tType\tForeign entity\tOptional\nshop\tForeignKey\tshop\tyes\nsum\tMoney\t\t\n';
  fireEvent.paste(await cell('Name', 2), { clipboardData: { getData: () => text } });
  expect(await screen.findByText(/"Money" is none of: String/)).toBeVisible();
  on('POST /api/data-model/attribute/list', { body: [mail, { ...mail, id: SHOP, name: 'shop' }] });
  await press(() => screen.getByRole('button', { name: 'Save 2 rows' }));
  await waitFor(() => expect(sent('insert')).toHaveLength(1));
  expect(sent('insert')[0]).toMatchObject({
    data: { name: 'shop', foreignEntity: { id: SHOP }, optional: true },
  });
  await waitFor(async () => expect(await cell('Name', 3)).toHaveValue('sum'));
  await userEvent.selectOptions(await cell('Type', 3), 'Int');
  expect(screen.queryByText(/is none of/)).toBeNull();
});

test('a refused row keeps what was typed, with the message under its cell', async () => {
  const { on } = open();
  on('POST /api/data-model/attribute/insert', {
    status: 409,
    body: { msg: 'not unique', data: { 'data.name': 'there is already one' } },
  });
  await userEvent.selectOptions(await cell('Type', 2), '');
  await userEvent.type(await cell('Name', 2), 'Mail{Enter}');
  expect(await screen.findByText(/required|expected/i)).toBeVisible();
  await userEvent.selectOptions(await cell('Type', 2), 'Int');
  await userEvent.type(await cell('Name', 2), '{Enter}');
  expect(await screen.findByText('there is already one')).toBeVisible();
  await press(() => screen.getByRole('button', { name: 'Discard row 2' }));
  expect(await cell('Name', 2)).toHaveValue('');
});

test('a refused save says how many rows are wrong, and leads to the first wrong cell', async () => {
  const { on } = open();
  on('POST /api/data-model/attribute/insert', {
    status: 409,
    body: { msg: 'not unique', data: { 'data.name': 'there is already one' } },
  });
  const text = 'Mail\t\tInt\nNote\t\tInt';
  fireEvent.paste(await cell('Name', 2), { clipboardData: { getData: () => text } });
  await press(() => screen.getByRole('button', { name: 'Save 2 rows' }));
  expect(await screen.findByText('2 rows have errors')).toHaveAttribute('role', 'alert');
  await waitFor(async () => expect(await cell('Name', 2)).toHaveFocus());
  await press(() => screen.getByRole('button', { name: 'Discard row 3' }));
  expect(screen.getByText('1 row has errors')).toBeVisible();
});

test('a new row begins with the type of the row before it, the first one with String', async () => {
  const { unmount } = open();
  await userEvent.type(await cell('Name', 2), 'a');
  expect(await cell('Type', 2)).toHaveDisplayValue('String');
  await userEvent.selectOptions(await cell('Type', 2), 'LocalDate');
  expect(await cell('Type', 3)).toHaveDisplayValue('LocalDate');
  unmount();
  open(undefined, []);
  expect(await cell('Type', 1)).toHaveDisplayValue('String');
});

test('names are pasted with their types alone, and the order of the cells is said', async () => {
  open();
  expect(await screen.findByText(/in the order Name, Column, Type, Foreign entity/)).toBeVisible();
  const text = 'sum\tInt\nwhen\tlocaldate';
  fireEvent.paste(await cell('Name', 2), { clipboardData: { getData: () => text } });
  await waitFor(async () => expect(await cell('Type', 3)).toHaveDisplayValue('LocalDate'));
  expect(await cell('Type', 2)).toHaveDisplayValue('Int');
  expect(await cell('Column', 2)).toHaveValue('');
});

test('an empty cell shows what it is derived from the others', async () => {
  open();
  expect(await cell('Column', 1)).toHaveAttribute('placeholder', 'mail_1');
  expect(await cell('Column', 2)).not.toHaveAttribute('placeholder');
});

test('too many rows are refused whole', async () => {
  open();
  const text = Array.from({ length: 201 }, (_, at) => `name${at}\tInt`).join('\n');
  fireEvent.paste(await cell('Name', 2), { clipboardData: { getData: () => text } });
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Nothing was pasted: at most 200 rows can be, and there are 201 rows.',
  );
  expect(await cell('Name', 2)).toHaveValue('');
});

test('the next free number is proposed, in the table and in the form', async () => {
  const noun = optionSetValue as unknown as PlainNoun;
  open(noun, [value]);
  expect(await cell('Key', 2)).toHaveValue('8');
  await userEvent.type(await cell('Value', 2), 'paid');
  expect(await cell('Key', 3)).toHaveValue('9');
});

test('"Save and add another" opens the next empty form', async () => {
  const noun = optionSetValue as unknown as PlainNoun;
  const { on, sent } = open(noun, [value], '/add');
  on(`POST /api/${noun.path}/insert`, { body: { id: SHOP, uuid: SHOP } });
  await waitFor(() => expect(screen.getByRole('textbox', { name: /Key/ })).toHaveValue('8'));
  await userEvent.type(screen.getByRole('textbox', { name: /Value/ }), 'paid');
  await press(() => screen.getByRole('button', { name: 'Save and add another' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: /Value/ })).toHaveValue(''));
  expect(screen.getByRole('textbox', { name: /Key/ })).toHaveValue('9');
  expect(screen.getByRole('textbox', { name: /Key/ })).toHaveFocus();
  expect(sent('insert')).toEqual([{ optionSet: { id: ENTITY }, data: { key: 8, value: 'paid' } }]);
});
