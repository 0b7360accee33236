/** All workflows. */
import { callsOf, workflows, type WorkflowCount } from '@quarterdeck/contract';
import { workflow } from '@quarterdeck/events';
import { plainColumns, type ViewOf } from '@quarterdeck/projections';
import { IconHandStop, IconPlus, IconSitemap, IconUserCheck } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Dim } from '../../ui/Note';
import { PageHeader } from '../../ui/PageHeader';
import type { QueryLike } from '../../ui/query';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { useListPage } from '../../ui/table/use-list-page';

type WorkflowView = ViewOf<typeof workflow>;

const known = new Map(plainColumns(workflow).map((column) => [column.id, column]));
const column = (id: string, more: Partial<Column<WorkflowView>>): Column<WorkflowView> =>
  ({ ...known.get(id), id, ...more }) as Column<WorkflowView>;

/** As many of a state are counted. */
const COUNTED = 10_000;
const inWords = (count: number): string =>
  count < COUNTED ? String(count) : `${COUNTED.toLocaleString('en')} or more`;

type Cell = (count: WorkflowCount) => ReactNode;

/** Of the call that counts, which the list is not sorted by. */
const counted = (
  counts: ReadonlyMap<string, WorkflowCount>,
  { cell, ...more }: Pick<Column<WorkflowView>, 'id' | 'header' | 'align' | 'priority'> & { cell: Cell },
): Column<WorkflowView> => ({
  ...more,
  value: () => '',
  cell: ({ id }) => {
    const count = counts.get(id);
    return count && cell(count);
  },
  sortable: false,
});

const columnsWith = (counts: ReadonlyMap<string, WorkflowCount>): readonly Column<WorkflowView>[] => [
  column('name', { header: 'Name', priority: 1 }),
  counted(counts, {
    id: 'version',
    header: 'Published',
    cell: ({ version }) => (version === 0 ? <Dim>never</Dim> : `version ${version}`),
    priority: 3,
  }),
  counted(counts, {
    id: 'underWay',
    header: 'Under way',
    cell: ({ underWay }) => inWords(underWay),
    align: 'right',
  }),
  counted(counts, {
    id: 'waiting',
    header: 'Needs somebody',
    cell: ({ asking, stopped }) => (
      <>
        {asking > 0 && <StateBadge state={`${inWords(asking)} waiting`} tone="warn" icon={IconUserCheck} />}{' '}
        {stopped > 0 && <StateBadge state={`${inWords(stopped)} stopped`} tone="bad" icon={IconHandStop} />}
      </>
    ),
    priority: 2,
  }),
  column('product', { header: 'Product' }),
  {
    id: 'changedAt',
    header: 'Last changed',
    value: ({ changedAt }) => changedAt,
    cell: ({ changedAt }) => <RelativeTime at={changedAt} />,
    // The back end sorts by the fields of the noun alone.
    sortable: false,
  },
];

const noCounts: readonly WorkflowCount[] = [];

/** What the workflows of the page that is shown are counted to. */
const useCounts = (shown: readonly { id: string }[] | undefined): ReadonlyMap<string, WorkflowCount> => {
  const ids = (shown ?? []).map(({ id }) => id);
  const { data } = useAnswer(workflows.counts, { workflows: ids }, { skip: ids.length === 0 });
  const counts = data?.workflows ?? noCounts;
  return useMemo(() => new Map(counts.map((count) => [count.id, count])), [counts]);
};

const add = (
  <DisabledInPast>
    <Action icon={IconPlus} does={`${paths.workflows()}/add`}>
      Add new
    </Action>
  </DisabledInPast>
);

export const WorkflowList = () => {
  const navigate = useNavigate();
  const { total, table } = useListPage(callsOf(workflow).page, { defaultSort: 'name' });
  const query = table.query as unknown as QueryLike<WorkflowView[]>;
  const counts = useCounts(query.data);
  const columns = useMemo(() => columnsWith(counts), [counts]);
  useShortcut('n', () => void navigate(`${paths.workflows()}/add`));
  return (
    <>
      <PageHeader
        title="Workflows"
        count={total}
        description="Steps that wait, ask people, send requests and run scripts, each recorded."
        actions={add}
        reading={<Link to={paths.waiting()}>Waits for me</Link>}
      />
      <DataTable
        label="Workflows"
        {...table}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => paths.workflow(id)}
        onOpen={({ id }) => void navigate(paths.workflow(id))}
        searchable
        empty={
          <EmptyState title="No workflows yet" icon={IconSitemap} action={add}>
            Draw what happens step by step, publish it, and start it by hand, by a schedule or by an event.
          </EmptyState>
        }
      />
    </>
  );
};
