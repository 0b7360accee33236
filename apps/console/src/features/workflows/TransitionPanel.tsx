/** The form of a transition. */
import { callsOf } from '@quarterdeck/contract';
import { workflowTransition, type WorkflowFinding } from '@quarterdeck/events';
import { IconArrowLeft, IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { z } from 'zod';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useChange } from '../../core/calls';
import { undoOf } from '../../records/history';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { useEditBase } from '../../ui/EditInPlace';
import { conflictInForm } from '../../ui/form/conflict';
import { sameValue } from '../../ui/same-value';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { idOf, nameBetween, nameOfNode, nextOrder, transitionData } from './draft-values';
import type { PanelProps } from './Editor';
import { FindingNotes } from './PublishBar';
import { transitionFields, transitionSchema } from './transition-form';
import { useCondition } from './use-condition';
import type { Draft, NodeView, TransitionView } from './use-draft';

const useFields = ({ nodes }: Draft) =>
  useMemo(() => transitionFields(nodes.map(({ id, name }) => ({ value: id, label: name }))), [nodes]);

const whenIn = ({ when }: Record<string, unknown>): unknown => when;

/** What is sent; without a name, the transition has those of its nodes. */
const sent = (draft: Draft, { from, to, name, ...rest }: z.output<typeof transitionSchema>) => ({
  ...rest,
  from: { id: from },
  to: { id: to },
  name: name || nameBetween(nameOfNode(draft, from), nameOfNode(draft, to)),
});

const inForm = (one: TransitionView) => {
  const { from, to, ...rest } = transitionData(one);
  return { ...rest, from: from.id, to: to.id };
};

export const AddTransition = ({ workflow, draft, from, show }: PanelProps & { from: NodeView }) => {
  const fields = useFields(draft);
  const [add] = useChange(callsOf(workflowTransition).insert);
  const initial = useMemo(
    () => ({ from: from.id, on: 'done', when: '', order: nextOrder(draft, from.id) }),
    [draft, from.id],
  );
  const { onDraft, problem } = useCondition(whenIn);
  const title = `Add transition from ${from.name}`;
  return (
    <Card title={title}>
      <ResourceForm
        label={title}
        schema={transitionSchema}
        fields={fields}
        initial={initial}
        submitLabel="Save transition"
        onDraft={onDraft}
        remarks={problem === undefined ? {} : { when: problem }}
        onCancel={() => show(from.id)}
        onSubmit={async (values) => {
          await add({ workflow: { id: workflow }, data: sent(draft, values) } as never).unwrap();
          show(from.id);
        }}
      />
    </Card>
  );
};

export const TransitionPanel = ({
  draft,
  findings,
  transition,
  show,
}: PanelProps & { transition: TransitionView }) => {
  const { id, name } = transition;
  const fields = useFields(draft);
  const [update] = useChange(callsOf(workflowTransition).update);
  const [removeOne] = useChange(callsOf(workflowTransition).delete);
  const { act, failure, dismiss } = useAction();
  const { opened, revision, adopt, touch } = useEditBase(transition, (one, other) =>
    sameValue(transitionData(one), transitionData(other)),
  );
  const initial = useMemo(() => inForm(opened), [opened]);
  const own = findings.filter((one) => one.transition === id);
  const { typed, onDraft, problem } = useCondition(whenIn, opened.when);
  const remarks = remarksOf(own);
  // Findings of the draft concern the condition as it was saved, not as it is typed.
  if (typed !== opened.when) delete remarks['when'];
  if (problem !== undefined) remarks['when'] = problem;
  const remove = () =>
    act({
      send: () => removeOne({ id } as never).unwrap(),
      done: () => {
        toast.success(`${name} was deleted.`, undoOf({ category: 'workflowTransition', id }));
        show(idOf(transition.from));
      },
      failed: `${name} could not be deleted`,
    });
  return (
    <Card
      title={name}
      actions={
        <Action icon={IconArrowLeft} variant="subtle" does={() => show(idOf(transition.from))}>
          {nameOfNode(draft, idOf(transition.from))}
        </Action>
      }
    >
      <ActionFailure failure={failure} onClose={dismiss} />
      <FindingNotes findings={own.filter(({ field }) => !isField(field))} />
      <ResourceForm
        label={`Edit ${name}`}
        schema={transitionSchema}
        fields={fields}
        initial={initial}
        submitLabel="Save transition"
        onTouched={touch}
        onDraft={onDraft}
        remarks={remarks}
        onSubmit={async (values, { current }) => {
          const data = sent(draft, values);
          await update({ id, revision: revision(current), data } as never)
            .unwrap()
            .catch((refused: unknown) => {
              throw conflictInForm(refused, inForm);
            });
          adopt({ ...transition, ...data } as unknown as TransitionView);
          toast.success(`${data.name} was saved.`);
        }}
      />
      <DisabledInPast>
        <Action icon={IconTrash} variant="subtle" color="red" mt={12} does={remove}>
          Delete transition
        </Action>
      </DisabledInPast>
    </Card>
  );
};

const isField = (field: string): boolean => ['from', 'to', 'on', 'when', 'order', 'name'].includes(field);

const remarksOf = (findings: readonly WorkflowFinding[]): Record<string, string> =>
  Object.fromEntries(findings.filter(({ field }) => isField(field)).map(({ field, says }) => [field, says]));
