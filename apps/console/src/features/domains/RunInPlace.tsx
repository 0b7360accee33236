/** A run of the domain, shown where it was started: live state and steps, with a link to its output. */
import { runs } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { Actor } from '../../records/actor';
import { Elapsed, isLive, RunState, stepTitle, tookMs } from '../../records/runs';
import { StateBadge } from '../../ui/StateBadge';
import { Dim } from '../../ui/Note';
import { Box, Group } from '@mantine/core';
import look from '../../ui/look.module.css';
import { Card } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';

export const RunInPlace = ({ id }: { id: string }) => {
  const { currentData: run } = useAnswer(runs.detail, { id });
  return (
    <Card aria-label={run?.label ?? 'Run'} p="12px 16px" mb={16}>
      <Stacked gap={8}>
        {run ? <Known run={run} /> : <StateBadge state="requested" />}
        <Link to={paths.run(id)}>Open run</Link>
      </Stacked>
    </Card>
  );
};

const Known = ({ run }: { run: RunView }) => (
  <>
    <Group gap="4px 12px" role="status">
      <strong>{run.label}</strong> <RunState run={run} />
      <Dim>
        <Elapsed since={run.startedAt} ms={tookMs(run)} />, by <Actor id={run.requestedBy} />
      </Dim>
    </Group>
    {run.reason && !isLive(run) && (
      <Box component="p" className={look.wrap} my={8}>
        {run.reason}
      </Box>
    )}
    {run.steps.length > 0 && (
      <Group component="ol" className={look.list} gap="4px 20px" aria-label="Steps">
        {run.steps.map((step) => (
          <li key={`${step.step}/${step.attempt}`}>
            <StateBadge state={step.state} /> {stepTitle(run.kind, step)}
          </li>
        ))}
      </Group>
    )}
  </>
);
