/** covers: TBL-01, SHELL-11 */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { onNarrowScreen } from '../testing/narrow-screen';
import { renderPage } from '../testing/render';
import { DataTable, type Column, type DataTableProps } from './DataTable';
import { clearNotices } from './toast';

interface Server {
  id: string;
  alias: string;
  port: number;
  state: string;
}

const columns: Column<Server>[] = [
  { id: 'alias', header: 'Alias', value: (row) => row.alias, filter: 'text', priority: 1 },
  { id: 'port', header: 'Port', value: (row) => row.port, filter: 'number', mono: true },
  { id: 'state', header: 'State', value: (row) => row.state, filter: 'category' },
];

const servers = (count: number): Server[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `id-${at}`,
    alias: `web-${at}`,
    port: at,
    state: at % 2 === 0 ? 'up' : 'down',
  }));

const rowKey = (row: Server): string => row.id;
const sixty = servers(60);

const show = (at: string, props: Partial<DataTableProps<Server>> = {}) =>
  renderPage(
    <DataTable label="Servers" rows={sixty} columns={columns} rowKey={rowKey} searchable {...props} />,
    { at },
  );

const firstCells = (): (string | null)[] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent ?? null);

test('shows 25 rows a page, with an ellipsis between far pages', async () => {
  const { router } = show('/', { rows: servers(500) });
  expect(firstCells()).toHaveLength(25);
  expect(screen.getByText('1–25 of 500')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Page 20' }));
  expect(firstCells()[0]).toBe('web-475');
  expect(router.state.location.search).toBe('?page=20');
  expect(screen.queryByRole('button', { name: 'Page 10' })).toBeNull();
});

test('prints the rows of all pages', () => {
  show('/?q=web&page=2&f.state=up', { rows: servers(500) });
  expect(firstCells()).toHaveLength(25);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(firstCells()).toHaveLength(250);
  expect(screen.getByText('250 found, 250 filtered out')).toBeVisible();
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(firstCells()).toHaveLength(25);
});

test('clicking a header sorts ascending, descending, then not at all, and updates the address', async () => {
  const { router } = show('/?page=2');
  const header = screen.getByRole('button', { name: 'Alias' });
  await userEvent.click(header);
  expect(firstCells().slice(0, 3)).toEqual(['web-0', 'web-1', 'web-2']);
  expect(router.state.location.search).toBe('?sort=alias');
  await userEvent.click(header);
  expect(firstCells()[0]).toBe('web-59');
  expect(screen.getByRole('columnheader', { name: 'Alias' })).toHaveAttribute('aria-sort', 'descending');
  await userEvent.click(header);
  expect(router.state.location.search).toBe('');
});

test('applies the search, filters, order and page in the address', () => {
  show('/?q=web&sort=-port&f.port=10..50&f.state=down&page=1');
  expect(firstCells()[0]).toBe('web-49');
  expect(screen.getByText('20 found, 40 filtered out')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Port 10 to 50' })).toBeVisible();
});

test('searches while typing and returns to the first page', async () => {
  const { router } = show('/?page=3');
  await userEvent.type(screen.getByRole('searchbox'), 'web-5');
  await waitFor(() => expect(firstCells()).toHaveLength(11));
  expect(router.state.location.search).toBe('?q=web-5');
});

test('says that no rows were found', () => {
  show('/?q=nothing');
  expect(screen.getByText('No rows found')).toBeVisible();
});

test('a filter is added from the menu and removed with its chip', async () => {
  const { router } = show('/');
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Alias' }));
  await userEvent.type(await screen.findByLabelText('Alias contains'), '9{Enter}');
  await waitFor(() => expect(router.state.location.search).toBe('?f.alias=9'));
  expect(firstCells()).toEqual(['web-9', 'web-19', 'web-29', 'web-39', 'web-49', 'web-59']);
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter Alias' }));
  expect(router.state.location.search).toBe('');
});

test('a filter stays open while it is edited, even while its value is empty', async () => {
  const { router } = show('/?f.alias=old&f.state=down');
  const steps = new Set<string>();
  router.subscribe(({ historyAction }) => steps.add(historyAction));
  await userEvent.click(screen.getByRole('button', { name: 'Alias contains old' }));
  const field = await screen.findByLabelText('Alias contains');
  await userEvent.clear(field);
  await waitFor(() => expect(router.state.location.search).toBe('?f.state=down'));
  expect(field).toHaveFocus();
  await userEvent.type(field, 'wb-5');
  await userEvent.type(field, 'e', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  expect(field).toHaveValue('web-5');
  await waitFor(() =>
    expect(firstCells()).toEqual(['web-5', 'web-51', 'web-53', 'web-55', 'web-57', 'web-59']),
  );
  expect([...steps]).toEqual(['REPLACE']);
});

test.each([
  ['a sort by a column that does not exist', '?sort=-ghost', 'sort attribute could not be matched', 'ghost'],
  ['a sort by a column without order', '?sort=note', 'sort attribute could not be matched', 'note'],
  [
    'a filter of a column that does not exist',
    '?f.ghost=1',
    'filter attribute could not be matched',
    'ghost',
  ],
  ['a filter of a column without one', '?f.note=1', 'filter attribute could not be matched', 'note'],
])('%s is reported and can be removed', async (_what, written, message, attribute) => {
  const note: Column<Server> = { id: 'note', header: 'Note', value: (row) => row.alias, sortable: false };
  const { router } = show(`/${written}&q=web-5`, { columns: [...columns, note] });
  expect(screen.getByText(message)).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent(`"${attribute}"`);
  expect(firstCells()).toHaveLength(11);
  await userEvent.click(screen.getByRole('button', { name: 'Remove it' }));
  expect(screen.queryByText(message)).toBeNull();
  expect(router.state.location.search).toBe('?q=web-5');
});

test('an empty table also reports unknown columns in the address', () => {
  show('/?sort=ghost&f.ghost=1', { rows: [], empty: <p>No servers yet</p> });
  expect(screen.getByText('sort attribute could not be matched')).toBeVisible();
  expect(screen.getByText('filter attribute could not be matched')).toBeVisible();
});

test('the choices of a filter are at most 14rem high', async () => {
  const many = [...columns.slice(0, 2), { ...columns[2], filter: 'select' } as Column<Server>];
  show('/?f.state=up', { columns: many });
  await userEvent.click(screen.getByRole('button', { name: 'State is up' }));
  await userEvent.click(await screen.findByRole('combobox', { name: 'State is' }));
  const list = await screen.findByRole('listbox', { name: 'State is' });
  expect(list.querySelector('[style*="max-height: 14rem"]')).not.toBeNull();
});

test('arrow keys move between rows, and Enter or a click opens one', async () => {
  const opened: string[] = [];
  show('/?sort=alias', { onOpen: (row) => opened.push(row.alias) });
  const rows = screen.getAllByRole('row').slice(1);
  rows[0]?.focus();
  await userEvent.keyboard('{ArrowDown}');
  await waitFor(() => expect(rows[1]).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('{End}');
  await waitFor(() => expect(rows[24]).toHaveFocus());
  await userEvent.click(within(rows[3] as HTMLElement).getByText('web-3'));
  expect(opened).toEqual(['web-1', 'web-3']);
});

test('the down arrow goes from the search to the first row that it found', async () => {
  const opened: string[] = [];
  show('/?sort=alias&q=web-2', { onOpen: (row) => opened.push(row.alias) });
  screen.getByRole('searchbox').focus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(opened).toEqual([
    within(screen.getAllByRole('row')[1] as HTMLElement).getByText(/^web-/).textContent,
  ]);
});

test('a button in a row does not open the row', async () => {
  const [opened, pressed]: [string[], string[]] = [[], []];
  show('/', {
    onOpen: (row) => opened.push(row.id),
    actions: (row) => <button onClick={() => pressed.push(row.id)}>Edit {row.alias}</button>,
  });
  await userEvent.click(screen.getByRole('button', { name: 'Edit web-4' }));
  expect([opened, pressed]).toEqual([[], ['id-4']]);
});

test('only the row that changed flashes', async () => {
  function Live() {
    const [rows, setRows] = useState(sixty);
    const change = (): void =>
      setRows((before) => before.map((row) => (row.id === 'id-2' ? { ...row, state: 'gone' } : row)));
    return (
      <>
        <button onClick={change}>Change</button>
        <DataTable label="Servers" rows={rows} columns={columns} rowKey={rowKey} />
      </>
    );
  }
  const { container } = renderPage(<Live />);
  // Without a pause, in which the flash could end on a busy machine.
  fireEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(container.querySelectorAll('[data-flash]')).toHaveLength(1);
  expect(container.querySelector('[data-flash]')).toHaveTextContent('gone');
});

test('of 10,000 rows, only a page of 25 is in the document', () => {
  show('/?sort=-port', { rows: servers(10_000) });
  expect(screen.getAllByRole('row')).toHaveLength(26);
  expect(screen.getByText('1–25 of 10,000')).toBeVisible();
});

test('a page of thousands of rows keeps only the visible ones in the document', () => {
  show('/', { rows: servers(10_000), pageSize: 10_000 });
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
});

test('a page number beyond the last shows the last page', () => {
  show('/?page=99');
  expect(screen.getByText('51–60 of 60')).toBeVisible();
});

test('loading, failing and being empty each look their own way', () => {
  const loading = show('/', { query: {} });
  expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  loading.unmount();

  const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const failed = show('/', {
    query: {
      error: { status: 500, msg: 'It broke', correlationId: 'c-9' },
      refetch: () => undefined,
    },
  });
  expect(screen.getByRole('alert')).toHaveTextContent('Servers could not be loaded');
  expect(screen.getByRole('alert')).toHaveTextContent('c-9');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  expect(logged).toHaveBeenCalledWith(
    'Data load failed',
    'Servers',
    expect.objectContaining({ status: 500 }),
  );
  logged.mockRestore();
  failed.unmount();

  show('/', { rows: [], empty: <p>No servers yet</p> });
  expect(screen.queryByText('No rows found')).toBeNull();
  expect(screen.getByText('No servers yet')).toBeVisible();
});

describe('on a narrow screen', () => {
  onNarrowScreen();

  test('rows are shown as cards', async () => {
    const opened: string[] = [];
    show('/', { onOpen: (row) => opened.push(row.id) });
    expect(screen.queryByRole('table')).toBeNull();
    const [card] = within(screen.getByRole('list', { name: 'Servers' })).getAllByRole('listitem');
    expect(card).toHaveTextContent('web-0');
    await userEvent.click(card as HTMLElement);
    expect(opened).toEqual(['id-0']);
  });
});

function Choosing({ at }: { at?: string }) {
  const [chosen, onChange] = useState<ReadonlySet<string>>(new Set(at ? [at] : []));
  return (
    <DataTable
      label="Servers"
      rows={sixty}
      columns={columns}
      rowKey={rowKey}
      searchable
      selection={{
        chosen,
        onChange,
        nameOf: (row) => row.alias,
        actions: <button>Run on {chosen.size}</button>,
      }}
    />
  );
}

test('selects rows one by one, or all found rows including those on other pages', async () => {
  renderPage(<Choosing />, { at: '/?f.state=up' });
  expect(screen.queryByRole('button', { name: /^Run on/ })).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select web-4' }));
  expect(screen.getByText('1 selected')).toBeVisible();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 30 shown' }));
  expect(screen.getByRole('button', { name: 'Run on 30' })).toBeVisible();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 30 shown' }));
  expect(screen.queryByText(/selected/)).toBeNull();
});

test('selects all found rows of a list that the back end pages', async () => {
  const paged = { found: 60, total: 60, options: {} };
  const allFound = jest
    .fn<Promise<string[]>, []>()
    .mockRejectedValueOnce({ status: 503, msg: 'the back end is busy' })
    .mockResolvedValue(sixty.map(rowKey));
  function Paged() {
    const [chosen, onChange] = useState<ReadonlySet<string>>(new Set());
    const selection = { chosen, onChange, nameOf: (row: Server) => row.alias, allFound };
    return (
      <DataTable
        label="Servers"
        rows={sixty.slice(0, 25)}
        paged={paged}
        columns={columns}
        rowKey={rowKey}
        selection={selection}
      />
    );
  }
  renderPage(<Paged />, { at: '/' });
  const all = () => screen.getByRole('button', { name: 'Select all 60' });
  expect(screen.queryByRole('button', { name: 'Select all 60' })).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 25 shown' }));
  await userEvent.click(all());
  expect(screen.getByText('25 selected')).toBeVisible();
  await userEvent.click(all());
  expect(await screen.findByText('60 selected, 35 not shown')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Select all 60' })).toBeNull();
  clearNotices();
});

test('rows hidden by the search stay selected and are counted', async () => {
  renderPage(<Choosing at="id-7" />);
  await userEvent.type(screen.getByRole('searchbox'), 'web-5');
  expect(await screen.findByText('1 selected, 1 not shown')).toBeVisible();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 11 shown' }));
  expect(screen.getByText('12 selected, 1 not shown')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(screen.queryByText(/selected/)).toBeNull();
});

test('the browser remembers the chosen columns until they are reset to the default', async () => {
  localStorage.clear();
  const some = columns.map((column) =>
    column.id === 'state' ? { ...column, onDemand: true as const } : column,
  );
  const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  const { unmount } = show('/?f.state=up', { columns: some, chooser: 'servers' });
  expect(headers()).toEqual(['Alias', 'Port']);
  expect(screen.getByText('30 filtered out', { exact: false })).toBeVisible();
  const menu = async () => userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await menu();
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Alias' })).toBeNull();
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'State' }));
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Port' }));
  expect(headers()).toEqual(['Alias', 'State']);
  unmount();

  show('/', { columns: some, chooser: 'servers' });
  expect(headers()).toEqual(['Alias', 'State']);
  await menu();
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Default columns' }));
  expect(headers()).toEqual(['Alias', 'Port']);
});
