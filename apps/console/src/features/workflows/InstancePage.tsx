/** An instance: its graph live, what it waits for, a timeline over its steps, forks and comparisons. */
import { workflowInstances, type WorkflowInstanceDetail } from '@quarterdeck/contract';
import type { Json } from '@quarterdeck/events';
import { IconBan, IconGitFork, IconTrash } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { useActorName } from '../../records/actor';
import { HistoryOf } from '../../records/history';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { Columns, Stacked } from '../../ui/Columns';
import { DetailPage, type Action as PageAction } from '../../ui/DetailPage';
import { Graph, type Hands } from '../../ui/graph';
import { withParams } from '../../ui/params';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import { ActPanel } from './ActPanel';
import { causeInWords } from './cause';
import { CompareTab } from './CompareTab';
import { StateTable } from './InstanceTable';
import { momentOf } from './moments';
import { StepCard } from './StepCard';
import { Timeline } from './Timeline';
import { drawnOf } from './use-draft';
import { InstanceBadge, isEnded } from './workflow-words';

export interface InstanceProps {
  workflow: string;
  instance: WorkflowInstanceDetail;
}

/**
 * The chosen step, in the address. Absent: the present. The address follows a moment later; until then the next press or
 * key goes on from what was chosen, or the slider would jump back under it.
 */
const useStep = ({ states }: WorkflowInstanceDetail) => {
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('step'));
  const step = Number.isInteger(asked) && asked >= 1 && asked <= states.length ? asked : undefined;
  const [chosen, choose] = useState<{ step: number | undefined }>();
  if (chosen && chosen.step === step) choose(undefined);
  const setStep = useCallback(
    (next: number | undefined): void => {
      choose({ step: next });
      setParams((before) => withParams(before, { step: next === undefined ? undefined : String(next) }), {
        replace: true,
        preventScrollReset: true,
      });
    },
    [setParams],
  );
  return { step: chosen ? chosen.step : step, setStep };
};

export const InstancePage = ({ workflow, instance }: InstanceProps) => {
  const { id, logDateAdded, version, reason, forkedFrom } = instance;
  const nameOf = useActorName();
  const navigate = useNavigate();
  const { act, failure, dismiss } = useAction();
  const [cancel] = useChange(workflowInstances.cancel);
  const [remove] = useChange(workflowInstances.delete);
  const [fork] = useChange(workflowInstances.fork);
  const name = `Instance of ${instance.workflow.name}`;
  const onCancel = () =>
    act({
      ask: {
        title: `Cancel this instance of ${instance.workflow.name}?`,
        body: 'It ends where it is. A run that it waits for is cancelled as well.',
        confirmLabel: 'Cancel instance',
        dismissLabel: 'Keep running',
        danger: true,
      },
      send: () => cancel({ id }).unwrap(),
      done: 'The instance was cancelled.',
      failed: 'The instance was not cancelled',
    });
  const onRemove = () =>
    act({
      ask: {
        title: 'Delete this instance?',
        body: 'It is no longer shown. The history keeps what it did.',
        confirmLabel: 'Delete instance',
        danger: true,
      },
      send: () => remove({ id }).unwrap(),
      done: () => void navigate(paths.workflow(workflow)),
      failed: 'The instance was not deleted',
    });
  /** The same as this dry one, with its effects. */
  const onReal = () =>
    act({
      ask: {
        title: 'Fork for real?',
        body: 'A new instance begins at the same step with the same data. Its actions are done.',
        confirmLabel: 'Fork for real',
      },
      send: () =>
        fork({
          id: forkedFrom?.instance ?? '',
          visit: forkedFrom?.visit ?? 0,
          ...(instance.states[0]?.data !== undefined && { data: instance.states[0].data as Json }),
          dry: false,
        }).unwrap(),
      done: ({ id: real }) => void navigate(paths.workflowPart(workflow, real)),
      failed: 'The instance was not forked',
    });
  const actions: PageAction[] = isEnded(instance)
    ? [
        {
          label: 'Delete instance',
          icon: <IconTrash size={16} />,
          danger: true,
          onClick: () => void onRemove(),
        },
      ]
    : [
        {
          label: 'Cancel instance',
          icon: <IconBan size={16} />,
          danger: true,
          onClick: () => void onCancel(),
        },
      ];
  return (
    <DetailPage
      back={{ to: paths.workflow(workflow), label: instance.workflow.name }}
      name={name}
      badge={<InstanceBadge instance={instance} />}
      facts={[
        {
          label: 'Started',
          value: (
            <>
              <RelativeTime at={logDateAdded} /> by {causeInWords(instance, nameOf)}
            </>
          ),
        },
        { label: 'Version', value: version },
        ...(forkedFrom
          ? [
              {
                label: 'Forked from',
                value: (
                  <Link to={`${paths.workflowPart(workflow, forkedFrom.instance)}?step=${forkedFrom.visit}`}>
                    step {forkedFrom.visit} of its source
                  </Link>
                ),
              },
            ]
          : []),
        ...(reason === undefined ? [] : [{ label: 'Reason', value: reason }]),
      ]}
      primary={
        instance.dry && forkedFrom && instance.states[0] ? (
          <Action icon={IconGitFork} variant="default" does={onReal}>
            Fork for real
          </Action>
        ) : undefined
      }
      actions={actions}
      tabs={[
        { id: 'watch', label: 'Watch', content: () => <Watch workflow={workflow} instance={instance} /> },
        {
          id: 'compare',
          label: 'Compare',
          content: () => <CompareTab workflow={workflow} instance={instance} />,
        },
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="workflowInstance" id={id} name={name} />,
        },
      ]}
    >
      <ActionFailure failure={failure} onClose={dismiss} />
    </DetailPage>
  );
};

const Watch = ({ workflow, instance }: InstanceProps) => {
  const { step, setStep } = useStep(instance);
  // An instance's graph never changes, so it is laid out once.
  const written = JSON.stringify(instance.graph);
  const drawn = useMemo(() => drawnOf(JSON.parse(written) as typeof instance.graph, true), [written]);
  const { state, marks, taken } = useMemo(() => momentOf(instance, step), [instance, step]);
  const { states } = instance;
  const hands = useMemo(
    (): Hands => ({
      /** The last time that it was at that node. */
      onSelect: (node) => {
        const at = states.findLastIndex((one) => one.node.id === node);
        if (at >= 0) setStep(at + 1);
      },
    }),
    [states, setStep],
  );
  return (
    <Stacked gap={20}>
      {step === undefined && !isEnded(instance) && <ActPanel workflow={workflow} instance={instance} />}
      <Columns widths="minmax(0, 8fr) minmax(320px, 5fr)">
        <Stacked gap={12}>
          <Timeline instance={instance} step={step} onStep={setStep} />
          <Graph
            label="Graph of the instance"
            what="a node"
            fileName={instance.workflow.name}
            drawn={drawn}
            marks={marks}
            taken={taken}
            hands={hands}
            selected={state?.node.id}
          />
        </Stacked>
        <StepCard workflow={workflow} instance={instance} state={state} isNow={step === undefined} />
      </Columns>
      <Section title="States" aria-label="States of the instance">
        <StateTable workflow={workflow} states={states} />
      </Section>
    </Stacked>
  );
};
