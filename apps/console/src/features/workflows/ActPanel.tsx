/** What somebody can do with an instance that is under way: answer, retry, skip, revise the data. */
import { Alert, Button, Group, NativeSelect } from '@mantine/core';
import { workflowInstances } from '@quarterdeck/contract';
import { isAction, type NodeEnd, type Role, type TransitionEnd } from '@quarterdeck/events';
import { IconHandStop, IconPencil, IconPlayerSkipForward, IconRefresh } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useChange } from '../../core/calls';
import { useSession } from '../../core/session';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction, type Act } from '../../ui/use-action';
import type { InstanceProps } from './InstancePage';
import { JsonField, useJsonField } from './JsonField';
import { ActionLink } from './StepCard';
import { AnswerButtons } from './Waiting';
import { endsInWords, jsonText } from './workflow-words';

export const ActPanel = ({ workflow: _workflow, instance }: InstanceProps) => {
  const { id, is, node, visit, reason } = instance;
  const { act, busy, failure, dismiss } = useAction();
  const [opened, open] = useState<'skip' | 'revise'>();
  const [retry] = useChange(workflowInstances.retry);
  const onRetry = () =>
    act({ send: () => retry({ id, visit }).unwrap(), failed: 'The instance did not go on' });
  const leaving = instance.graph.transitions.filter(({ from }) => from === node?.id);
  const { can } = useSession();
  const does = instance.graph.nodes.find((one) => one.id === node?.id)?.does;
  const mayNotSkip = does?.is === 'person' && !can(does.role);
  return (
    <Card title={titleOf(instance)}>
      <Stacked gap={12}>
        <ActionFailure failure={failure} onClose={dismiss} />
        {is === 'stopped' && (
          <Alert
            color="red"
            variant="light"
            icon={<IconHandStop size={18} aria-hidden />}
            title="It is stopped"
          >
            {reason}
          </Alert>
        )}
        <WaitsFor instance={instance} act={act} />
        <DisabledInPast>
          <Group gap={8}>
            {is === 'stopped' && (
              <Action icon={IconRefresh} loading={busy} does={onRetry}>
                Retry
              </Action>
            )}
            <Action
              icon={IconPencil}
              variant="default"
              does={() => open(opened === 'revise' ? undefined : 'revise')}
            >
              Revise data
            </Action>
            {leaving.length > 0 && is !== 'running' && (
              <Action
                icon={IconPlayerSkipForward}
                variant="default"
                disabled={mayNotSkip}
                title={
                  mayNotSkip ? `Only somebody with the role ${does.role} may skip this question.` : undefined
                }
                does={() => open(opened === 'skip' ? undefined : 'skip')}
              >
                Skip node
              </Action>
            )}
          </Group>
          {opened === 'skip' && <Skip instance={instance} act={act} done={() => open(undefined)} />}
          {opened === 'revise' && <Revise instance={instance} act={act} done={() => open(undefined)} />}
        </DisabledInPast>
      </Stacked>
    </Card>
  );
};

const titleOf = ({ is, node, asks }: InstanceProps['instance']): ReactNode => {
  const name = node?.name ?? 'the start';
  switch (is) {
    case 'asking':
      return asks?.question ?? `Waits for an answer at ${name}`;
    case 'waiting':
      return `Waits at ${name}`;
    case 'acting':
      return `Under way at ${name}`;
    case 'stopped':
      return `Stopped at ${name}`;
    default:
      return `Under way after ${name}`;
  }
};

const WaitsFor = ({ instance, act }: Pick<InstanceProps, 'instance'> & { act: Act }) => {
  const { id, is, node, visit, asks, due, dry, since } = instance;
  const { can } = useSession();
  const does = instance.graph.nodes.find((one) => one.id === node?.id)?.does;
  if (is === 'asking' && dry && does && isAction(does)) return <DryResult instance={instance} act={act} />;
  if (is === 'asking' && asks)
    return (
      <>
        <Note>
          Somebody with the role {asks.role} or higher answers. Asked <RelativeTime at={since} />
          {due !== undefined && (
            <>
              , due <RelativeTime at={due} />
            </>
          )}
          .
        </Note>
        {can(asks.role as Role) && (
          <AnswerButtons
            id={id}
            visit={visit}
            choices={asks.choices}
            about={asks.question ?? node?.name ?? ''}
            act={act}
            noted
          />
        )}
      </>
    );
  if (is === 'waiting' && due !== undefined)
    return (
      <Note>
        It goes on <RelativeTime at={due} />.
      </Note>
    );
  if (is === 'acting' && node)
    return (
      <Note>
        Its action is under way.{' '}
        <ActionLink
          instance={instance}
          state={{ node: { ...node, uuid: node.id }, action: instance.action }}
        />
      </Note>
    );
  return null;
};

interface FormProps extends Pick<InstanceProps, 'instance'> {
  act: Act;
  done: () => void;
}

const Skip = ({ instance, act, done }: FormProps) => {
  const { id, node, visit, graph } = instance;
  const leaving = graph.transitions.filter(({ from }) => from === node?.id);
  const [transition, choose] = useState(leaving[0]?.id ?? '');
  const [skip, { isLoading }] = useChange(workflowInstances.skip);
  const nameOf = (to: string): string => graph.nodes.find((one) => one.id === to)?.name ?? '';
  const onSkip = async (): Promise<void> => {
    const isDone = await act({
      send: () => skip({ id, visit, transition }).unwrap(),
      failed: 'The node was not skipped',
    });
    if (isDone) done();
  };
  return (
    <Group gap={8} align="end">
      <NativeSelect
        label="Go on by"
        value={transition}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={leaving.map((one) => ({
          value: one.id,
          label: `${nameOf(one.to)} (${endsInWords[one.on]}${one.when === '' ? '' : `, ${one.when}`})`,
        }))}
      />
      <Button loading={isLoading} onClick={() => void onSkip()}>
        Skip {node?.name}
      </Button>
    </Group>
  );
};

const Revise = ({ instance, act, done }: FormProps) => {
  const { id, visit, is, revision } = instance;
  // As it was when this was opened: what happens meanwhile is a conflict.
  const [base] = useState({ revision, text: jsonText(instance.data) });
  const { read, field } = useJsonField(base.text);
  const [update, { isLoading }] = useChange(workflowInstances.update);
  const [retry] = useChange(workflowInstances.retry);
  const save = async (goesOn: boolean): Promise<void> => {
    const data = read();
    if (data === undefined) return;
    const isDone = await act({
      send: async () => {
        await update({ id, data, revision: base.revision }).unwrap();
        if (goesOn) await retry({ id, visit }).unwrap();
      },
      done: goesOn ? 'The data were revised, and the instance goes on.' : 'The data were revised.',
      failed: 'The data were not revised',
    });
    if (isDone) done();
  };
  return (
    <Stacked gap={8}>
      <JsonField label="Data" {...field} />
      <Group gap={8}>
        {is === 'stopped' && (
          <Button loading={isLoading} onClick={() => void save(true)}>
            Save and go on
          </Button>
        )}
        <Button variant="default" loading={isLoading} onClick={() => void save(false)}>
          Save data
        </Button>
        <Button variant="subtle" onClick={done}>
          Cancel
        </Button>
      </Group>
    </Stacked>
  );
};

const ends: readonly TransitionEnd[] = ['done', 'failed'];

/** In a dry instance no action is done: somebody says what would have come of it. */
const DryResult = ({ instance, act }: Pick<InstanceProps, 'instance'> & { act: Act }) => {
  const { id, visit, node } = instance;
  const [end, setEnd] = useState<Exclude<NodeEnd, 'skipped'>>('done');
  const { read, field } = useJsonField('{}');
  const [answer, { isLoading }] = useChange(workflowInstances.answer);
  const onAnswer = async (): Promise<void> => {
    const result = read();
    if (result === undefined) return;
    await act({
      send: () => answer({ id, visit, end, result }).unwrap(),
      failed: 'The result was not recorded',
    });
  };
  return (
    <Stacked gap={8}>
      <Note>This instance is dry, so nothing was done. What would have come of {node?.name}?</Note>
      <NativeSelect
        label="It would be"
        value={end}
        onChange={({ currentTarget }) => setEnd(currentTarget.value as TransitionEnd)}
        data={ends.map((value) => ({ value, label: endsInWords[value] }))}
      />
      <JsonField label="Result" rows={4} {...field} />
      <div>
        <Button loading={isLoading} onClick={() => void onAnswer()}>
          Go on with this result
        </Button>
      </div>
    </Stacked>
  );
};
