/** covers: TBL-01 */
import { act, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { renderPage } from '../../testing/render';
import { DataTable, type Column } from '../DataTable';
import { useFlash } from './use-flash';

interface Server {
  id: string;
  load?: number;
}
const servers = ['web-1', 'web-2', 'web-3'].map((id): Server => ({ id }));
const columns: readonly Column<Server>[] = [{ id: 'id', header: 'Server', value: ({ id }) => id }];

const Chosen = () => {
  const [rows, setRows] = useState(servers);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <DataTable
        label="Servers"
        rows={rows}
        columns={columns}
        rowKey={({ id }) => id}
        selection={{ chosen, onChange: setChosen, nameOf: ({ id }) => id }}
      />
      <button type="button" onClick={() => setRows(servers.slice(1))}>
        Somebody deletes one
      </button>
    </>
  );
};

afterEach(() => jest.useRealTimers());

test('a deleted row is not counted as selected', async () => {
  renderPage(<Chosen />);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 3 shown' }));
  expect(screen.getByText('3 selected')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Somebody deletes one' }));
  expect(screen.getByText('2 selected')).toBeVisible();
});

test('a row flashes at each change, however often the page renders in between', () => {
  jest.useFakeTimers();
  const changed = (load: number): Server[] =>
    servers.map((one) => (one.id === 'web-2' ? { ...one, load } : one));
  // Passes an inline `rowKey`, as pages do.
  const { result, rerender } = renderHook(({ rows }) => useFlash(rows, ({ id }) => id), {
    initialProps: { rows: servers },
  });
  const flashing = (): string[] => [...result.current];
  const first = { rows: changed(1) };
  rerender(first);
  expect(flashing()).toEqual(['web-2']);
  rerender(first);
  act(() => jest.runAllTimers());
  expect(flashing()).toEqual([]);
  rerender({ rows: changed(2) });
  expect(flashing()).toEqual(['web-2']);
});
