/** Questions of workflows that wait for an answer of the person who is signed in: a page, and a part of Home. */
import { Badge, Button, Group, TextInput } from '@mantine/core';
import { workflowInstances, workflows, type WorkflowsWaiting } from '@quarterdeck/contract';
import { IconUserCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { DisabledInPast, PresentOnly } from '../../core/as-of/in-past';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { ActionFailure } from '../../records/runs';
import { Section } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/List';
import { Dim, Note } from '../../ui/Note';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction, type Act } from '../../ui/use-action';
import look from '../../ui/look.module.css';

type Waits = WorkflowsWaiting['instances'][number];

/** How many are on Home. */
const ON_HOME = 5;

export const WaitingPage = () => {
  const query = useAnswer(workflows.waiting);
  const { act, failure, dismiss } = useAction();
  return (
    <>
      <PageHeader
        title="Waits for me"
        count={query.data?.total}
        description="Workflows that go on when somebody with your role has answered."
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      <PresentOnly what="What waits for you">
        <DataView query={query} what="What waits for you">
          {({ instances, total }) =>
            instances.length === 0 ? (
              <EmptyState title="Nothing waits for you" icon={IconUserCheck}>
                Questions of workflows will appear here, each with its choices.
              </EmptyState>
            ) : (
              <>
                <Questions of={instances} act={act} />
                {total > instances.length && (
                  <Note below>{(total - instances.length).toLocaleString('en')} more are not shown.</Note>
                )}
              </>
            )
          }
        </DataView>
      </PresentOnly>
    </>
  );
};

/** Nothing while nothing waits. */
export const WaitingOnHome = () => {
  const inPast = useAsOf() !== undefined;
  const { data } = useAnswer(workflows.waiting, {}, { skip: inPast });
  const { act, failure, dismiss } = useAction();
  if (inPast || !data || data.total === 0) return null;
  return (
    <Section
      title={
        <>
          Waits for me{' '}
          <Dim ml={4} fw={400}>
            {data.total.toLocaleString('en')}
          </Dim>
        </>
      }
      actions={data.total > ON_HOME && <Link to={paths.waiting()}>Show all</Link>}
    >
      <ActionFailure failure={failure} onClose={dismiss} />
      <Questions of={data.instances.slice(0, ON_HOME)} act={act} />
    </Section>
  );
};

const Questions = ({ of, act }: { of: readonly Waits[]; act: Act }) => (
  <Lines aria-label="Questions">
    {of.map((one) => (
      <li key={`${one.id} ${one.visit}`}>
        <Question waits={one} act={act} />
      </li>
    ))}
  </Lines>
);

const Question = ({ waits, act }: { waits: Waits; act: Act }) => {
  const { id, workflow, node, visit, since, due, dry, question, choices } = waits;
  const { can } = useSession();
  const title = question ?? node.name;
  return (
    <Group justify="space-between" gap="8px 16px" p="10px 12px">
      <div className={look.wrap}>
        <strong>{title}</strong>{' '}
        {dry && (
          <Badge variant="light" color="gray" size="sm">
            dry
          </Badge>
        )}
        <Note fz={13}>
          {can('admin') ? (
            <Link to={paths.workflowPart(workflow.id, id)}>{workflow.name}</Link>
          ) : (
            workflow.name
          )}
          {question !== undefined && `, ${node.name}`}, asked <RelativeTime at={since} />
          {due !== undefined && (
            <>
              , due <RelativeTime at={due} />
            </>
          )}
        </Note>
      </div>
      <AnswerButtons id={id} visit={visit} choices={choices} about={title} act={act} />
    </Group>
  );
};

interface AnswerButtonsProps {
  id: string;
  visit: number;
  choices: readonly string[];
  /** The question, for the names of the buttons. */
  about: string;
  act: Act;
  /** Asks for a note. */
  noted?: boolean;
}

/** The choices as buttons. Somebody else, or the time limit, may have been faster: then the answer is refused. */
export const AnswerButtons = ({ id, visit, choices, about, act, noted = false }: AnswerButtonsProps) => {
  const [answer] = useChange(workflowInstances.answer);
  const [sending, setSending] = useState<string>();
  const [note, setNote] = useState('');
  const choose = async (choice: string): Promise<void> => {
    setSending(choice);
    await act({
      send: () => answer({ id, visit, choice, ...(note.trim() !== '' && { note: note.trim() }) }).unwrap(),
      done: `${about}: ${choice}.`,
      failed: 'The answer was not recorded',
    });
    setSending(undefined);
  };
  return (
    <DisabledInPast>
      <Stacked gap={8}>
        {noted && (
          <TextInput
            label="Note"
            description="Optional. It is recorded with the answer."
            maw={480}
            maxLength={2000}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
        )}
        <Group gap={8} role="group" aria-label={`Answers to ${about}`}>
          {choices.map((choice, at) => (
            <Button
              key={choice}
              variant={at === 0 ? 'filled' : 'default'}
              loading={sending === choice}
              disabled={sending !== undefined && sending !== choice}
              aria-label={`${choice}: ${about}`}
              onClick={() => void choose(choice)}
            >
              {choice}
            </Button>
          ))}
        </Group>
      </Stacked>
    </DisabledInPast>
  );
};
