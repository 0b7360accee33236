import { textOf } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { CopyText } from '../CopyText';
import styles from '../DataTable.module.css';
import type { Column } from './columns';
import { Box } from '@mantine/core';
import look from '../look.module.css';

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  href?: string | undefined;
}

export function Cell<Row>({ column, row, href }: CellProps<Row>) {
  const text = textOf(column.value(row));
  const content = column.cell ? column.cell(row) : text;
  if (href) {
    return (
      <Link to={href} className={`${look.plainLink} ${styles.link}`} data-mono={column.mono || undefined}>
        {content}
      </Link>
    );
  }
  if (column.copy && text !== '') {
    return (
      <CopyText value={text} mono={column.mono ?? false}>
        {content}
      </CopyText>
    );
  }
  return column.mono ? (
    <Box component="span" ff="monospace" fz="0.925em">
      {content}
    </Box>
  ) : (
    <>{content}</>
  );
}
