/** Compares the variables of all environments side by side by fingerprint, so no value is shown. */
import { variables } from '@quarterdeck/contract';
import { environments } from '@quarterdeck/events';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconColumns3 } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { StateBadge } from '../../ui/StateBadge';
import type { Tone } from '../../ui/tone';
import { comparedInWords, comparisonOf, inEnv, type Compared } from './variable-words';

const looks = {
  same: { tone: 'good', icon: IconCircleCheck },
  different: { tone: 'info', icon: IconAlertTriangle },
  missing: { tone: 'warn', icon: IconCircleDashed },
} as const satisfies Record<Compared['is'], { tone: Tone; icon: typeof IconCircleCheck }>;

const columns: readonly Column<Compared>[] = [
  { id: 'key', header: 'Key', value: ({ key }) => key, mono: true, priority: 1 },
  {
    id: 'state',
    header: 'Comparison',
    value: comparedInWords,
    cell: (row) => <StateBadge state={row.is} label={comparedInWords(row)} {...looks[row.is]} />,
    filter: 'category',
    priority: 2,
  },
  ...environments.map((name, at): Column<Compared> => ({
    id: name,
    header: name,
    value: ({ byEnv }) => byEnv[at + 1]?.fingerprint ?? '–',
    mono: true,
    sortable: false,
  })),
];

export const Matrix = ({ base, service }: { base: string; service: string }) => {
  const navigate = useNavigate();
  const query = useAnswer(variables.list, { service: { id: service } });
  const { currentData: data } = query;
  const rows = useMemo(() => data && comparisonOf(data), [data]);
  const to = ({ byEnv }: Compared): string => {
    const [env = '1'] = Object.keys(byEnv);
    return inEnv(base, Number(env));
  };
  return (
    <>
      <PageHeader
        title="Environments compared"
        count={rows?.length}
        description={
          <>
            Equal values have equal fingerprints. <Link to={base}>Back to the variables</Link>
          </>
        }
      />
      <DataTable
        label="Environments compared"
        query={{ data: rows, error: query.error, refetch: query.refetch }}
        columns={columns}
        rowKey={({ key }) => key}
        href={to}
        onOpen={(row) => void navigate(to(row))}
        searchable
        empty={
          <EmptyState title="No variables yet" icon={IconColumns3}>
            The variables of dev, test and prod will appear here side by side.
          </EmptyState>
        }
      />
    </>
  );
};
