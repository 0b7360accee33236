/** The form of a node, what can be done with it, and the ways that leave it. */
import { ActionIcon, Group } from '@mantine/core';
import { callsOf } from '@quarterdeck/contract';
import {
  workflowNode,
  workflowTransition,
  type WorkflowDoes,
  type WorkflowFinding,
} from '@quarterdeck/events';
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconPlus,
  IconRoute,
  IconTrash,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useChange } from '../../core/calls';
import { useShortcut } from '../../core/shortcuts';
import { undoOf } from '../../records/history';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { useEditBase } from '../../ui/EditInPlace';
import { conflictInForm } from '../../ui/form/conflict';
import { sameValue } from '../../ui/same-value';
import type { Direction } from '../../ui/graph';
import { Dim } from '../../ui/Note';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { idOf, nameBetween, nodeData, transitionBetween } from './draft-values';
import type { PanelProps } from './Editor';
import { Leaving } from './Leaving';
import { fieldOfDoes, inForm, nodeFields, nodeSchema, type NodeValues } from './node-form';
import { FindingNotes } from './PublishBar';
import { arrowFields, arrowOf } from './transition-form';
import { useCondition } from './use-condition';
import type { NodeView } from './use-draft';
import { useLists } from './use-lists';

/** Only one node is the start, so the former one stops being it. */
const useStartAt = ({ draft }: Pick<PanelProps, 'draft'>) => {
  const [update] = useChange(callsOf(workflowNode).update);
  return (id: string) =>
    Promise.all(
      draft.nodes
        .filter((node) => node.isStart && node.id !== id)
        .map((node) =>
          update({
            id: node.id,
            revision: node.revision,
            data: { ...nodeData(node), isStart: false },
          } as never).unwrap(),
        ),
    );
};

const whenOfArrow = ({ arrow }: Record<string, unknown>): string => arrowOf(arrow).when;

export const AddNode = (props: PanelProps & { after?: NodeView | undefined }) => {
  const { workflow, draft, after, show } = props;
  const lists = useLists();
  const [add] = useChange(callsOf(workflowNode).insert);
  const [connect] = useChange(callsOf(workflowTransition).insert);
  const [update] = useChange(callsOf(workflowNode).update);
  const startAt = useStartAt(props);
  const [added, setAdded] = useState<string>();
  const fields = useMemo((): readonly Field[] => {
    const [name, ...rest] = nodeFields(lists);
    const first = { ...name, autoFocus: true } as Field;
    return after ? [first, ...rest, ...arrowFields(after.name)] : [first, ...rest];
  }, [lists, after]);
  const isFirst = draft.nodes.length === 0;
  const initial = useMemo(
    () => ({
      ...inForm({ name: '', does: { is: 'none' }, isStart: isFirst, keepAs: '' }),
      arrow: { on: 'done', when: '' },
    }),
    [isFirst],
  );
  const { onDraft, problem } = useCondition(whenOfArrow);
  const title = after ? `Add after ${after.name}` : 'Add node';
  return (
    <Card title={title}>
      <ResourceForm
        label={title}
        schema={nodeSchema}
        fields={fields}
        initial={initial}
        submitLabel="Save node"
        onCancel={() => show(after?.id)}
        onDraft={onDraft}
        remarks={problem === undefined ? {} : { 'arrow.when': problem }}
        afterRefusal={() =>
          added === undefined ? 'Nothing was saved.' : 'The node was added, but it is not connected yet.'
        }
        onSubmit={async (values) => {
          const { arrow, ...data } = values;
          const whole = { ...data, place: null };
          // It was added if only the transition was refused: saving again must not add it twice.
          const { id } = added
            ? await update({ id: added, data: whole } as never).unwrap()
            : await add({ workflow: { id: workflow }, data: whole } as never).unwrap();
          setAdded(id);
          if (data.isStart) await startAt(id);
          if (after)
            await connect({
              workflow: { id: workflow },
              data: transitionBetween(draft, after.id, id, {
                ...arrowOf(arrow),
                name: nameBetween(after.name, data.name),
              }),
            } as never).unwrap();
          show(id);
        }}
      />
    </Card>
  );
};

export const NodePanel = (props: PanelProps & { node: NodeView }) => {
  const { draft, findings, show, node } = props;
  const { id, name } = node;
  const [removeOne] = useChange(callsOf(workflowNode).delete);
  const { act, failure, dismiss } = useAction();
  useShortcut('n', () => show(`after-${id}`));
  const touching = draft.transitions.filter((one) => idOf(one.from) === id || idOf(one.to) === id);
  const [removeTransition] = useChange(callsOf(workflowTransition).delete);
  const remove = () =>
    act({
      ask: {
        title: `Delete ${name}?`,
        body:
          touching.length === 0
            ? 'The draft loses this node. Published versions and instances keep it.'
            : `The draft loses this node and ${touching.length === 1 ? 'its transition' : `its ${touching.length} transitions`}. Published versions and instances keep them.`,
        confirmLabel: 'Delete node',
        danger: true,
      },
      send: async () => {
        await Promise.all(touching.map((one) => removeTransition({ id: one.id } as never).unwrap()));
        await removeOne({ id } as never).unwrap();
      },
      done: () => {
        toast.success(`${name} was deleted.`, undoOf({ category: 'workflowNode', id }));
        show(undefined);
      },
      failed: `${name} could not be deleted`,
    });
  return (
    <Stacked gap={16}>
      <Card
        title={name}
        actions={
          <Group gap={8}>
            <Action icon={IconArrowLeft} variant="subtle" does={() => show(undefined)}>
              All nodes
            </Action>
          </Group>
        }
      >
        <ActionFailure failure={failure} onClose={dismiss} />
        <DisabledInPast>
          <Group gap={8} mb={12}>
            <Action icon={IconPlus} variant="default" does={() => show(`after-${id}`)}>
              Add after
            </Action>
            <Action icon={IconRoute} variant="default" does={() => show(`from-${id}`)}>
              Add transition
            </Action>
            <Action icon={IconTrash} variant="subtle" color="red" does={remove}>
              Delete
            </Action>
          </Group>
        </DisabledInPast>
        <NodeForm {...props} findings={findings.filter((one) => one.node === id)} />
      </Card>
      <Leaving {...props} />
      <DisabledInPast>
        <Moves node={node} />
      </DisabledInPast>
    </Stacked>
  );
};

const valuesOf = (node: NodeView): Record<string, unknown> => {
  const { does, ...rest } = nodeData(node);
  return inForm({ ...rest, does: does as WorkflowDoes } as NodeValues);
};

const NodeForm = (props: PanelProps & { node: NodeView }) => {
  const { node, findings } = props;
  const lists = useLists();
  const fields = useMemo(() => nodeFields(lists), [lists]);
  const [update] = useChange(callsOf(workflowNode).update);
  const startAt = useStartAt(props);
  const { opened, revision, adopt, touch } = useEditBase(node, (one, other) =>
    sameValue({ ...nodeData(one), place: null }, { ...nodeData(other), place: null }),
  );
  const initial = useMemo(() => valuesOf(opened), [opened]);
  const [inFields, others] = useMemo(() => splitFindings(findings), [findings]);
  return (
    <>
      <FindingNotes findings={others} />
      <ResourceForm
        label={`Edit ${node.name}`}
        schema={nodeSchema}
        fields={fields}
        initial={initial}
        submitLabel="Save node"
        onTouched={touch}
        remarks={inFields}
        onSubmit={async ({ arrow: _arrow, ...values }, { current }) => {
          const data = { ...values, place: node.place };
          await update({ id: node.id, revision: revision(current), data } as never)
            .unwrap()
            .catch((refused: unknown) => {
              throw conflictInForm(refused, valuesOf);
            });
          if (values.isStart) await startAt(node.id);
          adopt({ ...node, ...data } as NodeView);
          toast.success(`${values.name} was saved.`);
        }}
      />
    </>
  );
};

/** Messages under their fields, and the findings that belong to none. */
const splitFindings = (
  findings: readonly WorkflowFinding[],
): [Record<string, string>, readonly WorkflowFinding[]] => {
  const inFields: Record<string, string> = {};
  const others: WorkflowFinding[] = [];
  for (const finding of findings) {
    const { field, says } = finding;
    if (field.startsWith('does.')) inFields[fieldOfDoes(field.slice('does.'.length))] = says;
    else if (field === 'keepAs' || field === 'isStart') inFields[field] = says;
    else others.push(finding);
  }
  return [inFields, others];
};

const arrows = [
  ['left', IconArrowLeft],
  ['right', IconArrowRight],
  ['up', IconArrowUp],
  ['down', IconArrowDown],
] as const;
const STEP = 40;

/** The same as dragging the box. */
const Moves = ({ node }: { node: NodeView }) => {
  const [update, { isLoading }] = useChange(callsOf(workflowNode).update);
  const { act, failure, dismiss } = useAction();
  const at = (node.place as { x: number; y: number } | null) ?? { x: 0, y: 0 };
  const move = (direction: Direction) =>
    act({
      send: () =>
        update({
          id: node.id,
          revision: node.revision,
          data: {
            ...nodeData(node),
            place: {
              x: at.x + { left: -STEP, right: STEP, up: 0, down: 0 }[direction],
              y: at.y + { left: 0, right: 0, up: -STEP, down: STEP }[direction],
            },
          },
        } as never).unwrap(),
      failed: `${node.name} was not moved`,
    });
  return (
    <div>
      <ActionFailure failure={failure} onClose={dismiss} />
      <Group gap={8} role="group" aria-label="Move in the graph">
        <Dim fz={13}>Move in the graph</Dim>
        {arrows.map(([direction, Icon]) => (
          <ActionIcon
            key={direction}
            variant="default"
            disabled={isLoading}
            aria-label={`Move ${direction}`}
            onClick={() => void move(direction)}
          >
            <Icon size={16} aria-hidden />
          </ActionIcon>
        ))}
      </Group>
    </div>
  );
};
