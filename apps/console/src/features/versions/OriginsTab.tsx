/** The version that introduced each column, and who added its attribute. Links to the attribute's history. */
import { versions, type Answer } from '@quarterdeck/contract';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useActorName } from '../../records/actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { RelativeTime } from '../../ui/RelativeTime';

type Origin = Answer<typeof versions.origins>[number];

export const OriginsTab = ({ id }: { id: string }) => {
  const query = useAnswer(versions.origins, { id });
  const nameOf = useActorName();
  const columns = useMemo(
    (): Column<Origin>[] => [
      {
        id: 'column',
        header: 'Column',
        value: ({ entity, attribute }) => `${entity.table}.${attribute.column}`,
        cell: ({ entity, attribute }) => (
          <Link to={paths.history({ category: 'attribute', id: attribute.id })}>
            {entity.table}.{attribute.column}
          </Link>
        ),
        mono: true,
        priority: 1,
      },
      { id: 'attribute', header: 'Attribute', value: (row) => `${row.entity.name}.${row.attribute.name}` },
      { id: 'since', header: 'Since version', value: ({ since }) => since, priority: 2, width: '1%' },
      { id: 'by', header: 'Added by', value: ({ by }) => nameOf(by), filter: 'category' },
      {
        id: 'at',
        header: 'Added',
        value: ({ at }) => at,
        cell: ({ at }) => <RelativeTime at={at} />,
        priority: 3,
      },
    ],
    [nameOf],
  );
  return (
    <DataTable
      label="Columns"
      urlKey="columns"
      query={query}
      columns={columns}
      rowKey={({ attribute }) => attribute.id}
      searchable
    />
  );
};
