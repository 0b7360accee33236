/** Compares the variables of two environments, grouped by what differs. Secrets are compared by fingerprint. */
import { Group, NativeSelect } from '@mantine/core';
import { variables } from '@quarterdeck/contract';
import { environments } from '@quarterdeck/events';
import type { VariableView } from '@quarterdeck/projections';
import { IconColumns3 } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { Section } from '../../ui/Card';
import { DataTable, type Column } from '../../ui/DataTable';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Dim, Note } from '../../ui/Note';
import { PageHeader } from '../../ui/PageHeader';
import { withParams } from '../../ui/params';
import { comparedGroups, comparedIn, comparisonOf, cut, envName, inEnv, type Pair } from './variable-words';

const shownValue = (one: VariableView | undefined): string =>
  one === undefined ? '–' : one.secret ? one.fingerprint : cut(one.value);

const columnsOf = ([from, to]: readonly [number, number]): readonly Column<Pair>[] => [
  { id: 'key', header: 'Key', value: ({ key }) => key, mono: true, priority: 1 },
  ...([from, to] as const).map((env, side): Column<Pair> => ({
    id: side === 0 ? 'from' : 'to',
    header: envName(env),
    value: (pair) => shownValue(pair.sides[side]),
    cell: ({ sides: { [side]: one } }) => (
      <>
        {shownValue(one)}
        {one?.secret && <Dim> (secret)</Dim>}
      </>
    ),
    mono: true,
    priority: 2,
  })),
];

export const Matrix = ({ base, service }: { base: string; service: string }) => {
  const [search, setSearch] = useSearchParams();
  const [from, to] = comparedIn(search);
  const query = useAnswer(variables.list, { service: { id: service } });
  const choose = (side: 'from' | 'to', name: string): void =>
    setSearch((before) => withParams(before, { [side]: name }), { preventScrollReset: true });
  const select = (side: 'from' | 'to', env: number) => (
    <NativeSelect
      label={side === 'from' ? 'From' : 'To'}
      data={[...environments]}
      value={envName(env)}
      onChange={({ currentTarget: { value } }) => choose(side, value)}
    />
  );
  return (
    <>
      <PageHeader
        title="Environments compared"
        description={
          <>
            Secrets are compared by their fingerprints. <Link to={base}>Back to the variables</Link>
          </>
        }
      />
      <Group gap="sm" mb="md">
        {select('from', from)}
        {select('to', to)}
      </Group>
      <DataView query={query} what="Variables">
        {(all) => <Groups all={all} from={from} to={to} base={base} />}
      </DataView>
    </>
  );
};

interface GroupsProps {
  all: readonly VariableView[];
  from: number;
  to: number;
  base: string;
}

const Groups = ({ all, from, to, base }: GroupsProps) => {
  const navigate = useNavigate();
  const found = useMemo(() => comparisonOf(all, from, to), [all, from, to]);
  const columns = useMemo(() => columnsOf([from, to]), [from, to]);
  if (from === to) return <Note>Choose two different environments.</Note>;
  const titles = {
    different: 'Different',
    onlyFrom: `Only in ${envName(from)}`,
    onlyTo: `Only in ${envName(to)}`,
    same: 'Same',
  };
  const shown = comparedGroups.filter((group) => found[group].length > 0);
  if (shown.length === 0)
    return (
      <EmptyState title="No variables yet" icon={IconColumns3}>
        The variables of {envName(from)} and {envName(to)} will appear here side by side.
      </EmptyState>
    );
  const open = ({ sides: [one] }: Pair): string => inEnv(base, one === undefined ? to : from);
  return (
    <>
      {found.different.length + found.onlyFrom.length + found.onlyTo.length === 0 && (
        <Note mb={12} role="status">
          No differences
        </Note>
      )}
      {shown.map((group) => (
        <Section key={group} title={`${titles[group]} (${found[group].length})`} mb={24}>
          <DataTable
            label={titles[group]}
            rows={found[group]}
            columns={columns}
            rowKey={({ key }) => key}
            urlKey={group}
            href={open}
            onOpen={(pair) => void navigate(open(pair))}
          />
        </Section>
      ))}
    </>
  );
};
