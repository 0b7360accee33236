/** A run in a few words for short lists: its title, and its progress or result. */
import { type BoxProps, Group } from '@mantine/core';
import { stepLabel } from '@quarterdeck/events';
import { runTitle, type RunView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { durationInWords, RelativeTime } from '../../ui/RelativeTime';
import { Elapsed } from './Elapsed';
import { RunState } from './RunState';
import { WhyEndedInLine } from './WhyEnded';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';
import { Line, Lines } from '../../ui/List';

interface RunLinesProps extends BoxProps {
  runs: readonly RunView[];
  onLeave?: () => void;
}

export const RunLines = ({ runs, onLeave, ...props }: RunLinesProps) => (
  <Lines {...props}>
    {runs.map((run) => (
      <RunLine key={run.id} run={run} onLeave={onLeave} />
    ))}
  </Lines>
);

const RunLine = ({ run, onLeave }: { run: RunView; onLeave: (() => void) | undefined }) => {
  const step = run.steps.at(-1);
  const ended = run.endedAt !== undefined;
  return (
    <Line>
      <Link
        className={look.plainLink}
        to={run.kind === 'fleet' ? paths.fleetRun(run.id) : paths.run(run.id)}
        onClick={onLeave}
      >
        {runTitle(run)}
      </Link>
      <Group gap={12} wrap="nowrap" c="dimmed" fz={12}>
        <RunState run={run} />
        {!ended && step && <span>{stepLabel(run.kind, step.step)}</span>}
        <span>
          {ended ? (
            <>
              {run.durationMs !== undefined && `${durationInWords(run.durationMs)}, `}
              <RelativeTime at={run.endedAt} />
            </>
          ) : (
            <Elapsed since={run.startedAt ?? run.requestedAt} ms={undefined} />
          )}
        </span>
      </Group>
      {run.reason && (
        <Note className={look.wrap} m="2px 0 0" fz={12}>
          <WhyEndedInLine run={run} />
        </Note>
      )}
    </Line>
  );
};
