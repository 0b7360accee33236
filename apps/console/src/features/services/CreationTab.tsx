/** The steps that created the service, and how to continue or clean up after a failure. */
import { Box, Flex, Group } from '@mantine/core';
import { runs, serviceRepositories } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import {
  ActionFailure,
  canRetry,
  isLive,
  newRunId,
  RunsOf,
  RunState,
  stepTitle,
  useRunActions,
} from '../../records/runs';
import { Action } from '../../ui/Action';
import { DataView } from '../../ui/DataView';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';

interface CreationTabProps {
  id: string;
  name: string;
}

export const CreationTab = ({ id, name }: CreationTabProps) => {
  const query = useAnswer(runs.list, { subject: { kind: 'service', id }, kind: 'createService', limit: 1 });
  return (
    <>
      <DataView query={query} what="Runs">
        {({ runs: [run] }) =>
          run ? (
            <Creation run={run} id={id} name={name} />
          ) : (
            <Note m="8px 0 0">The service was added without creating repositories.</Note>
          )
        }
      </DataView>
      <RunsOf kind="service" id={id} name={name} />
    </>
  );
};

const Creation = ({ run, id, name }: CreationTabProps & { run: RunView }) => {
  const { retry, busy, failure, dismiss } = useRunActions();
  const [clean] = useChange(serviceRepositories.cleanUp);
  const cleanup = useAction();
  const cleanUp = () => {
    const runId = newRunId();
    return cleanup.act({
      ask: {
        title: `Clean up ${name}?`,
        body: 'The repositories that this creation made are deleted at the source-code host with all that is in them, and the service is removed.',
        confirmLabel: 'Clean up',
        danger: true,
      },
      send: () => clean({ id, runId }).unwrap(),
      failed: `${name} could not be cleaned up`,
      to: paths.run(runId),
    });
  };
  return (
    <Box component="section" className={look.framed} mb={20} p="12px 16px" aria-label="Creation">
      <Group gap={8} role="status">
        <RunState run={run} /> <By id={run.requestedBy} at={run.requestedAt} />{' '}
        <Link to={paths.run(run.id)}>Open run</Link>
      </Group>
      <ActionFailure
        failure={failure ?? cleanup.failure}
        onClose={() => {
          dismiss();
          cleanup.dismiss();
        }}
      />
      {run.reason !== undefined && !isLive(run) && (
        <Box component="p" className={look.wrap} m="8px 0 0">
          {run.reason}
        </Box>
      )}
      <Flex component="ol" className={look.list} gap={6} direction="column" m="12px 0" aria-label="Steps">
        {run.steps.map((step) => (
          <li key={`${step.step}/${step.attempt}`}>
            <StateBadge state={step.state} /> {stepTitle(run.kind, step)}
          </li>
        ))}
      </Flex>
      {canRetry(run) && (
        <DisabledInPast>
          <Group gap="xs">
            <Action icon={IconPlayerPlay} loading={busy === run.id} does={() => retry(run)}>
              Continue
            </Action>
            <Action icon={IconTrash} variant="default" loading={cleanup.busy} does={cleanUp}>
              Clean up
            </Action>
          </Group>
        </DisabledInPast>
      )}
    </Box>
  );
};
