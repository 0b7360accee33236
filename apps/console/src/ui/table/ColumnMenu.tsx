import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { Column } from './columns';
import type { ChosenColumns } from './use-chosen-columns';

interface ColumnMenuProps<Row> {
  columns: readonly Column<Row>[];
  chosen: ChosenColumns<Row>;
}

/** Menu to show and hide columns. The first column names the row, so it cannot be hidden. */
export const ColumnMenu = <Row,>({ columns, chosen: { shown, choose, reset } }: ColumnMenuProps<Row>) => (
  <Menu position="bottom-end" withinPortal closeOnItemClick={false}>
    <Menu.Target>
      <Button variant="subtle" color="gray" leftSection={<IconColumns3 size={15} />}>
        Columns
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.CheckboxGroup value={shown.map(({ id }) => id)} onChange={(ids) => choose(ids)}>
        {columns.slice(1).map(({ id, header }) => (
          <Menu.CheckboxItem key={id} value={id}>
            {header}
          </Menu.CheckboxItem>
        ))}
      </Menu.CheckboxGroup>
      {reset && (
        <>
          <Menu.Divider />
          <Menu.Item onClick={reset}>Default columns</Menu.Item>
        </>
      )}
    </Menu.Dropdown>
  </Menu>
);
