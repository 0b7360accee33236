/** Progress of a live run. */
import { Group, Progress } from '@mantine/core';
import type { RunView } from '@quarterdeck/projections';
import { Elapsed, isLive, stepTitle, WaitsFor } from '../../records/runs';
import { useFleetRunQuery } from '../../records/runs/fleet.endpoints';
import { Dim } from '../../ui/Note';

export const RunProgress = ({ run }: { run: RunView }) => {
  if (!isLive(run)) return null;
  return run.kind === 'fleet' ? <PartsProgress run={run} /> : <StepsProgress run={run} />;
};

const StepsProgress = ({ run }: { run: RunView }) => {
  // A retried run that waits in line has steps too.
  const step = run.linePosition === undefined ? run.steps.at(-1) : undefined;
  return (
    <Group justify="space-between" gap="4px 16px" mb={16}>
      <span role="status">
        {step ? (
          <>
            {run.steps.length > 1 && `Step ${run.steps.length}: `}
            <strong>{stepTitle(run.kind, step)}</strong>
          </>
        ) : run.linePosition === undefined ? (
          'Waiting to start …'
        ) : (
          <WaitsFor run={run} />
        )}
      </span>
      <Dim style={{ whiteSpace: 'nowrap' }}>
        <Elapsed since={run.lineSince ?? run.startedAt} ms={undefined} />
      </Dim>
      {/* Indeterminate: steps with nothing to do are skipped, so the total is unknown until the run ends. */}
      <Progress value={100} animated size="sm" aria-label="In progress" flex="1 0 100%" />
    </Group>
  );
};

const PartsProgress = ({ run }: { run: RunView }) => {
  const { currentData } = useFleetRunQuery(run.id);
  const hosts = currentData?.hosts;
  const all = hosts?.length ?? (Array.isArray(run.input.servers) ? run.input.servers.length : 0);
  const ended = hosts?.filter((host) =>
    host.run ? !isLive(host.run) : host.notStarted !== undefined,
  ).length;
  return (
    <Group justify="space-between" gap="4px 16px" mb={16}>
      <span role="status">
        <strong>
          {ended ?? '…'} of {all}
        </strong>{' '}
        servers done
      </span>
      <Dim style={{ whiteSpace: 'nowrap' }}>
        <Elapsed since={run.startedAt} ms={undefined} />
      </Dim>
      <Progress
        value={all === 0 ? 0 : ((ended ?? 0) / all) * 100}
        size="sm"
        aria-label="Servers done"
        flex="1 0 100%"
      />
    </Group>
  );
};
