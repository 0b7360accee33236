/** The instances of a workflow. Each expands to its states. */
import { ActionIcon, NativeSelect } from '@mantine/core';
import { workflowStates } from '@quarterdeck/contract';
import { workflowInstanceStates } from '@quarterdeck/events';
import type { WorkflowInstanceView, WorkflowState } from '@quarterdeck/projections';
import { IconChevronDown, IconChevronRight, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useActorName } from '../../records/actor';
import { Section } from '../../ui/Card';
import { DataTable, type Column } from '../../ui/DataTable';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Mono, Note } from '../../ui/Note';
import { withParams } from '../../ui/params';
import { PlainTable } from '../../ui/PlainTable';
import { RelativeTime } from '../../ui/RelativeTime';
import { useCursorPages } from '../../ui/table/use-cursor-pages';
import { causeInWords } from './cause';
import { useInstancesInfiniteQuery } from './instance.endpoints';
import { InstanceBadge, markOf, MarkBadge, markOfEnd, shortJson } from './workflow-words';

type State = (typeof workflowInstanceStates)[number];

/** Both are under way on a badge; here they can be told apart. */
const wordOf = (is: State): string => (is === 'acting' ? 'acting' : markOf(is).word);

/** The newest come first, page by page: the back end sorts by nothing else. */
const unsorted = <Row,>(columns: readonly Column<Row>[]): Column<Row>[] =>
  columns.map((column) => ({ ...column, sortable: false }));

/** The state of the instances that are shown, in the address. */
const useStateFilter = () => {
  const [params, setParams] = useSearchParams();
  const is = workflowInstanceStates.find((one) => one === params.get('is'));
  const choose = (state: string): void =>
    setParams(
      (before) => withParams(before, { is: state === '' ? undefined : state, 'instances.page': undefined }),
      { replace: true, preventScrollReset: true },
    );
  return { is, choose };
};

export const InstanceTable = ({ workflow }: { workflow: string }) => {
  const navigate = useNavigate();
  const nameOf = useActorName();
  const { is, choose } = useStateFilter();
  const query = useInstancesInfiniteQuery({ id: workflow, ...(is && { is }) });
  const rows = useMemo(() => query.data?.pages.flatMap(({ instances }) => instances), [query.data]);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const columns = useMemo(
    (): Column<WorkflowInstanceView>[] =>
      unsorted([
        {
          id: 'date',
          header: 'Log Date Added',
          value: ({ logDateAdded }) => logDateAdded,
          cell: ({ logDateAdded }) => <RelativeTime at={logDateAdded} />,
          priority: 1,
        },
        {
          id: 'state',
          header: 'State',
          value: ({ is }) => markOf(is).word,
          cell: (instance) => <InstanceBadge instance={instance} />,
          priority: 2,
        },
        { id: 'node', header: 'Node', value: ({ node }) => node?.name ?? '', priority: 3 },
        { id: 'reason', header: 'Reason', value: ({ reason }) => reason ?? '', maxWidth: '36ch' },
        { id: 'version', header: 'Version', value: ({ version }) => version, align: 'right', width: '1%' },
        { id: 'cause', header: 'Started by', value: (instance) => causeInWords(instance, nameOf) },
      ]),
    [nameOf],
  );
  const page = ({ id }: WorkflowInstanceView): string => paths.workflowPart(workflow, id);
  return (
    <Section
      title="Instances"
      aria-label="Instances of the workflow"
      actions={
        <NativeSelect
          aria-label="Instances in the state"
          value={is ?? ''}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[
            { value: '', label: 'All states' },
            ...workflowInstanceStates.map((value) => ({ value, label: wordOf(value) })),
          ]}
        />
      }
    >
      <DataTable
        label="Instances"
        {...useCursorPages(rows, query, 'instances')}
        searchable={false}
        columns={columns}
        rowKey={({ id }) => id}
        href={page}
        onOpen={(row) => void navigate(page(row))}
        actions={({ id, logDateAdded }) => (
          <ActionIcon
            variant="subtle"
            aria-expanded={open.has(id)}
            aria-label={`States of the instance of ${new Date(logDateAdded).toLocaleString()}`}
            onClick={() => toggle(id)}
          >
            {open.has(id) ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          </ActionIcon>
        )}
        expanded={({ id }) => open.has(id) && <States workflow={workflow} instance={id} />}
        empty={
          is === undefined ? (
            <EmptyState title="No instances yet" icon={IconPlayerPlay}>
              What was started by hand, by a trigger or by another workflow will appear here.
            </EmptyState>
          ) : (
            <EmptyState title={`No instance is ${wordOf(is)}`} icon={IconPlayerPlay}>
              Choose another state to see the others.
            </EmptyState>
          )
        }
      />
    </Section>
  );
};

const States = ({ workflow, instance }: { workflow: string; instance: string }) => {
  const query = useAnswer(workflowStates.list, { id: instance });
  return (
    <DataView query={query} what="States">
      {(states) =>
        states.length === 0 ? (
          <Note>It has not entered a node yet.</Note>
        ) : (
          <StateTable workflow={workflow} states={states} />
        )
      }
    </DataView>
  );
};

interface StateTableProps {
  workflow: string;
  states: readonly WorkflowState[];
}

export const StateTable = ({ workflow, states }: StateTableProps) => (
  <PlainTable label="States">
    <thead>
      <tr>
        <th scope="col">Log Date Added</th>
        <th scope="col">Node</th>
        <th scope="col">State</th>
        <th scope="col">Data</th>
      </tr>
    </thead>
    <tbody>
      {states.map((state) => (
        <tr key={state.id}>
          <td>
            <RelativeTime at={state.logDateAdded} />
          </td>
          <th scope="row">
            <Link to={paths.workflowPart(workflow, state.node.id)}>{state.node.name}</Link>
          </th>
          <td>{state.end === undefined ? 'present' : <MarkBadge mark={markOfEnd(state.end)} />}</td>
          <td>
            <Mono>{shortJson(state.data)}</Mono>
          </td>
        </tr>
      ))}
    </tbody>
  </PlainTable>
);
