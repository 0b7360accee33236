/** Result of a fixed command as tables, facts and sentences. */
import { Facts } from '../../../ui/Facts';
import type { Block, ResultTable } from './blocks';
import { Stacked } from '../../../ui/Columns';
import { PlainTable } from '../../../ui/PlainTable';
import { Title } from '../../../ui/heading';
import look from '../../../ui/look.module.css';
import { Box } from '@mantine/core';

export const CommandResult = ({ label, blocks }: { label: string; blocks: readonly Block[] }) => (
  <Stacked>
    {blocks.map((block, index) => (
      // The index is a safe key: blocks have no names and never change order.
      <BlockView key={index} label={label} block={block} />
    ))}
  </Stacked>
);

const BlockView = ({ label, block }: { label: string; block: Block }) => {
  switch (block.is) {
    case 'sentence':
      return (
        <Box component="p" m={0} {...(block.tone && { c: `var(--qd-${block.tone})` })}>
          {block.text}
        </Box>
      );
    case 'facts':
      return <Facts label={label} facts={block.facts.map(({ name, value }) => [name, value] as const)} />;
    case 'table':
      return <TableView label={label} table={block} />;
  }
};

/** Matches `22 %`, `0.28%`, `3.5 GiB`, `187MB`, `31` and `none`. */
const isNumber = (cell: string): boolean => /^(?:[\d.,]+ ?(?:%|[kKMGT]?i?B|[KMGT])?|none)$/.test(cell);

const TableView = ({ label, table: { title, columns, rows } }: { label: string; table: ResultTable }) => {
  const numeric = columns.map(
    (_, index) => rows.length > 0 && rows.every((row) => row[index] === '' || isNumber(row[index] ?? '')),
  );
  return (
    <section>
      {title !== undefined && (
        <Title least={3} mb={8}>
          {title}
        </Title>
      )}
      <PlainTable label={title ?? label} mah="32rem" className={`${look.scroller} ${look.wrap}`}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column + String(index)} scope="col" data-numeric={numeric[index] || undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} data-numeric={numeric[index] || undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
};
