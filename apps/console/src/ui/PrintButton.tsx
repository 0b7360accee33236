import { Button, type ButtonProps } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { textOf } from '@quarterdeck/projections';
import { useState } from 'react';
import { toApiError } from '../core/http';
import type { Column } from './table/columns';
import { useTableAddress } from './table/table-address';
import { toast } from './toast';
import { type PrintedDocument, usePrint, usePrintKey } from './use-print';

type Gather = () => Promise<PrintedDocument>;

/** Prints what is gathered, by Ctrl+P too. @param gather fetches what is not on the page */
export const useGatheredPrint = (gather: Gather): { loading: boolean; onClick: () => void } => {
  const print = usePrint();
  const [busy, setBusy] = useState(false);
  const gatherAndPrint = async (): Promise<void> => {
    setBusy(true);
    try {
      print(await gather());
    } catch (thrown) {
      toast.failure(toApiError(thrown).msg, 'Not printed');
    } finally {
      setBusy(false);
    }
  };
  const onClick = (): void => {
    if (!busy) void gatherAndPrint();
  };
  usePrintKey(onClick);
  return { loading: busy, onClick };
};

export const PrintButton = (props: ButtonProps & ReturnType<typeof useGatheredPrint>) => (
  <Button {...props} leftSection={<IconPrinter size={15} aria-hidden />}>
    Print
  </Button>
);

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
  return <PrintButton variant="subtle" color="gray" {...useGatheredPrint(gather)} />;
}
