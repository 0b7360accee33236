import { Button, type ButtonProps } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { textOf } from '@quarterdeck/projections';
import { useState } from 'react';
import { toApiError } from '../core/http';
import type { Column } from './table/columns';
import { useTableAddress } from './table/table-address';
import { toast } from './toast';
import { type PrintedDocument, usePrint } from './use-print';

interface PrintButtonProps extends ButtonProps {
  /** Fetches what is not on the page. */
  gather: () => Promise<PrintedDocument>;
}

export const PrintButton = ({ gather, ...look }: PrintButtonProps) => {
  const print = usePrint();
  const [busy, setBusy] = useState(false);
  const onClick = async (): Promise<void> => {
    setBusy(true);
    try {
      print(await gather());
    } catch (thrown) {
      toast.failure(toApiError(thrown).msg, 'Not printed');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      {...look}
      leftSection={<IconPrinter size={15} aria-hidden />}
      loading={busy}
      onClick={() => void onClick()}
    >
      Print
    </Button>
  );
};

interface PrintListProps<Row> {
  title: string;
  columns: readonly Column<Row>[];
  /** Fetches all rows that match the search and the filters: see `useListPage`. */
  allFound: () => Promise<readonly Row[]>;
}

/** For the tools of a list: prints all its pages with all columns, also those that are shown on demand. */
export function PrintList<Row>({ title, columns, allFound }: PrintListProps<Row>) {
  const { search, filters } = useTableAddress();
  const headerOf = (id: string): string => columns.find((column) => column.id === id)?.header ?? id;
  const gather = async () => ({
    title,
    facts: [
      ...(search === '' ? [] : [['Search', search] as const]),
      ...filters.map(({ id, value }) => [headerOf(id), value] as const),
    ],
    table: {
      head: columns.map(({ header }) => header),
      rows: (await allFound()).map((row) => columns.map(({ value }) => textOf(value(row)))),
    },
  });
  return <PrintButton variant="subtle" color="gray" gather={gather} />;
}
