/** The nodes and transitions of the draft. They are edited in the editor. */
import type { WorkflowDoes } from '@quarterdeck/events';
import { IconPencil, IconPlus, IconSitemap } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { useDraft, type NodeView, type TransitionView } from './use-draft';
import { doesInWords, endsInWords, kinds } from './workflow-words';

const nodeColumns: readonly Column<NodeView>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, priority: 1 },
  {
    id: 'kind',
    header: 'Kind',
    value: ({ does }) => kinds[(does as WorkflowDoes).is].label,
    filter: 'category',
    priority: 2,
  },
  {
    id: 'does',
    header: 'Details',
    // Of many kinds there is nothing to say besides the kind.
    value: ({ does }) => {
      const words = doesInWords(does as WorkflowDoes);
      return words === kinds[(does as WorkflowDoes).is].label ? '' : words;
    },
    priority: 3,
  },
  { id: 'start', header: 'Start', value: ({ isStart }) => (isStart ? 'yes' : '') },
  { id: 'keepAs', header: 'Result in', value: ({ keepAs }) => (keepAs ? `data.${keepAs}` : ''), mono: true },
];

export const NodeTable = ({ workflow }: { workflow: string }) => {
  const navigate = useNavigate();
  const { data, error, refetch } = useDraft(workflow);
  const query = useMemo(() => ({ data: data?.nodes, error, refetch }), [data, error, refetch]);
  const add = (
    <DisabledInPast>
      <Action icon={IconPlus} variant="default" does={`${paths.workflow(workflow, 'editor', 'add')}`}>
        Add node
      </Action>
    </DisabledInPast>
  );
  return (
    <Section title="Nodes" aria-label="Nodes of the draft" actions={add}>
      <DataTable
        label="Nodes"
        query={query}
        columns={nodeColumns}
        urlKey="nodes"
        rowKey={({ id }) => id}
        href={({ id }) => paths.workflowPart(workflow, id)}
        onOpen={({ id }) => void navigate(paths.workflowPart(workflow, id))}
        empty={
          <EmptyState title="No nodes yet" icon={IconSitemap}>
            What happens step by step will appear here.
          </EmptyState>
        }
      />
    </Section>
  );
};

export const TransitionTable = ({ workflow }: { workflow: string }) => {
  const navigate = useNavigate();
  const { data, error, refetch } = useDraft(workflow);
  const query = useMemo(() => ({ data: data?.transitions, error, refetch }), [data, error, refetch]);
  const columns = useMemo((): Column<TransitionView>[] => {
    const nameOf = (node: unknown): string => {
      const id = (node as { id: string } | null)?.id;
      return data?.nodes.find((one) => one.id === id)?.name ?? 'deleted';
    };
    return [
      { id: 'name', header: 'Name', value: ({ name }) => name, priority: 1 },
      { id: 'from', header: 'From', value: ({ from }) => nameOf(from) },
      { id: 'to', header: 'To', value: ({ to }) => nameOf(to) },
      { id: 'on', header: 'When the node is', value: ({ on }) => endsInWords[on], priority: 3 },
      { id: 'when', header: 'Condition', value: ({ when }) => when, mono: true, priority: 2 },
      { id: 'order', header: 'Order', value: ({ order }) => order, align: 'right', width: '1%' },
    ];
  }, [data]);
  const open = ({ id }: TransitionView): string => paths.workflow(workflow, 'editor', id);
  return (
    <Section
      title="Transitions"
      aria-label="Transitions of the draft"
      actions={
        <Action icon={IconPencil} variant="default" does={paths.workflow(workflow, 'editor')}>
          Open the editor
        </Action>
      }
    >
      <DataTable
        label="Transitions"
        query={query}
        columns={columns}
        urlKey="transitions"
        rowKey={({ id }) => id}
        href={open}
        onOpen={(row) => void navigate(open(row))}
        empty={
          <EmptyState title="No transitions yet" icon={IconSitemap}>
            The ways from node to node will appear here.
          </EmptyState>
        }
      />
    </Section>
  );
};
