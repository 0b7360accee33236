/** What happened at a step: when, by whom, with which data and result, and the fork from there. */
import { Box, Button, Checkbox, Group } from '@mantine/core';
import { workflowInstances, workflowStates } from '@quarterdeck/contract';
import type { WorkflowState } from '@quarterdeck/projections';
import { IconGitFork } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { useActorName } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card, Section } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { Disclosure } from '../../ui/Disclosure';
import { Facts } from '../../ui/Facts';
import { LineDiff } from '../../ui/line-diff';
import { Note, TextBlock } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import type { InstanceProps } from './InstancePage';
import { JsonField, useJsonField } from './JsonField';
import { isEnded, jsonText, markOf, MarkBadge, markOfEnd } from './workflow-words';

interface StepCardProps extends InstanceProps {
  state: WorkflowState | undefined;
  isNow: boolean;
}

/** A state with its data, which a long list of states does not have. */
const useWhole = (state: WorkflowState | undefined): WorkflowState | undefined => {
  const isWhole = state === undefined || state.data !== undefined;
  const { currentData } = useAnswer(workflowStates.detail, { id: state?.id ?? '' }, { skip: isWhole });
  return isWhole ? state : (currentData ?? state);
};

export const StepCard = ({ workflow, instance, state, isNow }: StepCardProps) => {
  const nameOf = useActorName();
  const whole = useWhole(state);
  const number = state ? instance.states.indexOf(state) + 1 : 0;
  const before = useWhole(instance.states[number - 2]);
  if (!state || !whole)
    return (
      <Card title="Data">
        <TextBlock>{jsonText(instance.data)}</TextBlock>
      </Card>
    );
  const data = isNow ? instance.data : whole.data;
  const { node, end, logDateAdded, leftAt, due, choice, by, note, action, stops, revisions, recalled } =
    whole;
  const mark = end === undefined ? markOf(instance.is) : markOfEnd(end);
  const transition = instance.graph.transitions.find(({ id }) => id === whole.transition);
  return (
    <Card title={`Step ${number} of ${instance.states.length}: ${node.name}`}>
      <Stacked gap={16}>
        <Facts
          facts={[
            ['State', <MarkBadge key="state" mark={mark} />],
            ['Entered', <RelativeTime key="entered" at={logDateAdded} />],
            ...(transition ? ([['By transition', transition.name]] as const) : []),
            ...(leftAt === undefined ? [] : ([['Left', <RelativeTime key="left" at={leftAt} />]] as const)),
            ...(due === undefined || end !== undefined
              ? []
              : ([['Due', <RelativeTime key="due" at={due} />]] as const)),
            ...(choice === undefined ? [] : ([['Answer', choice]] as const)),
            ...(by === undefined ? [] : ([['Answered by', nameOf(by)]] as const)),
            ...(note === undefined || note === '' ? [] : ([['Note', note]] as const)),
            ...(recalled === undefined
              ? []
              : ([['Result taken from', `step ${recalled} of the instance it was forked from`]] as const)),
            ...(action === undefined
              ? []
              : ([['Action', <ActionLink key="action" instance={instance} state={whole} />]] as const)),
            [
              'Node',
              <Link key="node" to={paths.workflowPart(workflow, node.id)}>
                {node.name}
              </Link>,
            ],
          ]}
        />
        {stops.map(({ at, reason }) => (
          <Note key={at} c="error">
            Stopped <RelativeTime at={at} />: {reason}
          </Note>
        ))}
        {revisions.map(({ at, by: who }) => (
          <Note key={at}>
            {nameOf(who)} revised the data <RelativeTime at={at} />.
          </Note>
        ))}
        <Section title={isNow && end === undefined ? 'Data now' : 'Data'} least={3}>
          <TextBlock mah={260}>{jsonText(data)}</TextBlock>
        </Section>
        {whole.result !== undefined && whole.result !== null && (
          <Section title="Result" least={3}>
            <TextBlock mah={260}>{jsonText(whole.result)}</TextBlock>
          </Section>
        )}
        {before && (
          <Disclosure title="Changes of the data since the step before">
            <LineDiff
              before={jsonText(before.data)}
              after={jsonText(data)}
              label={`Data of step ${number - 1} and step ${number}`}
              same="The data are the same."
            />
          </Disclosure>
        )}
        <DisabledInPast>
          <Fork key={state.id} workflow={workflow} instance={instance} state={whole} />
        </DisabledInPast>
      </Stacked>
    </Card>
  );
};

/** The run that the action is, or the instance that it started. */
export const ActionLink = ({
  instance,
  state,
}: Pick<InstanceProps, 'instance'> & { state: Pick<WorkflowState, 'node' | 'action'> }) => {
  const { action = '' } = state;
  const does = instance.graph.nodes.find(({ id }) => id === state.node.id)?.does;
  return does?.is === 'workflow' ? (
    <Link to={paths.workflowPart(does.workflow.id, action)}>Open its instance</Link>
  ) : (
    <Link to={paths.run(action)}>Open run</Link>
  );
};

const Fork = ({ workflow, instance, state }: InstanceProps & { state: WorkflowState }) => {
  const navigate = useNavigate();
  const [fork] = useChange(workflowInstances.fork);
  const { act, busy, failure, dismiss } = useAction();
  const [isOpen, setOpen] = useState(false);
  const [dry, setDry] = useState(true);
  const { read, field } = useJsonField(jsonText(state.data));
  const refused = failure?.error.data?.['data'];
  const onFork = async (): Promise<void> => {
    const data = read();
    if (data === undefined) return;
    await act({
      send: () => fork({ id: instance.id, visit: state.visit, data, dry }).unwrap(),
      done: ({ id }) => void navigate(paths.workflowPart(workflow, id)),
      failed: 'The instance was not forked',
    });
  };
  if (!isOpen)
    return (
      <div>
        <Action icon={IconGitFork} variant="default" does={() => setOpen(true)}>
          Fork from here
        </Action>
      </div>
    );
  return (
    <Box
      component="form"
      aria-label="Fork from here"
      onSubmit={(event) => {
        event.preventDefault();
        void onFork();
      }}
    >
      <Stacked gap={12}>
        {refused === undefined && <ActionFailure failure={failure} onClose={dismiss} />}
        <Note>
          A new instance begins at {state.node.name} with these data.{' '}
          {isEnded(instance) ? 'This one stays as it is.' : 'This one goes on.'}
        </Note>
        <JsonField label="Data of the fork" {...field} error={field.error ?? refused} />
        <Checkbox
          label="Dry: nothing is done outside"
          description="Results are those of this instance, or you are asked. It shows what would have happened."
          checked={dry}
          onChange={({ currentTarget }) => setDry(currentTarget.checked)}
        />
        <Group gap={8}>
          <Action icon={IconGitFork} loading={busy} does={onFork}>
            {dry ? 'Fork dry' : 'Fork for real'}
          </Action>
          <Button variant="subtle" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </Group>
      </Stacked>
    </Box>
  );
};
