/** Progress of a live run. */
import { Progress } from '@mantine/core';
import type { RunView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { behindInWords, type Release } from '../../records/verdicts';
import { Elapsed, isLive, stepTitle } from '../../records/runs';
import { useFleetRunQuery } from '../../records/runs/fleet.endpoints';
import classes from './RunPage.module.css';

interface RunProgressProps {
  run: RunView;
  /** The release of a deploy run. */
  release?: Release | undefined;
}

export const RunProgress = (props: RunProgressProps) => {
  const { run } = props;
  if (!isLive(run)) return null;
  return run.kind === 'fleet' ? <PartsProgress run={run} /> : <StepsProgress {...props} />;
};

const StepsProgress = ({ run, release }: RunProgressProps) => {
  const step = run.steps.at(-1);
  return (
    <div className={classes.progress}>
      <p role="status">
        {step ? (
          <>
            {run.steps.length > 1 && `Step ${run.steps.length}: `}
            <strong>{stepTitle(run.kind, step)}</strong>
          </>
        ) : release?.behind ? (
          <>
            Waiting behind{' '}
            <Link to={paths.run(release.behind.id)}>{behindInWords(release.behind, release)}</Link>
          </>
        ) : (
          'Waiting to start …'
        )}
      </p>
      <span className={classes.duration}>
        <Elapsed since={run.startedAt} ms={undefined} />
      </span>
      {/* Indeterminate: steps with nothing to do are skipped, so the total is unknown until the run ends. */}
      <Progress value={100} animated size="sm" aria-label="In progress" className={classes.progressBar} />
    </div>
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
    <div className={classes.progress}>
      <p role="status">
        <strong>
          {ended ?? '…'} of {all}
        </strong>{' '}
        servers done
      </p>
      <span className={classes.duration}>
        <Elapsed since={run.startedAt} ms={undefined} />
      </span>
      <Progress
        value={all === 0 ? 0 : ((ended ?? 0) / all) * 100}
        size="sm"
        aria-label="Servers done"
        className={classes.progressBar}
      />
    </div>
  );
};
