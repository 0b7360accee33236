/** A run of the domain, shown where it was started: live state and steps, with a link to its output. */
import { runs } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { Actor } from '../../records/actor';
import { Elapsed, isLive, RunState, stepTitle, tookMs } from '../../records/runs';
import { StateBadge } from '../../ui/StateBadge';
import classes from './domains.module.css';

export const RunInPlace = ({ id }: { id: string }) => {
  const { currentData: run } = useAnswer(runs.detail, { id });
  return (
    <section className={classes.run} aria-label={run?.label ?? 'Run'}>
      {run ? <Known run={run} /> : <StateBadge state="requested" />}
      <Link to={paths.run(id)}>Open run</Link>
    </section>
  );
};

const Known = ({ run }: { run: RunView }) => (
  <>
    <div className={classes.runHead} role="status">
      <strong>{run.label}</strong> <RunState run={run} />
      <span className={classes.dimmed}>
        <Elapsed since={run.startedAt} ms={tookMs(run)} />, by <Actor id={run.requestedBy} />
      </span>
    </div>
    {run.reason && !isLive(run) && <p className={classes.reason}>{run.reason}</p>}
    {run.steps.length > 0 && (
      <ol className={classes.steps} aria-label="Steps">
        {run.steps.map((step) => (
          <li key={`${step.step}/${step.attempt}`}>
            <StateBadge state={step.state} /> {stepTitle(run.kind, step)}
          </li>
        ))}
      </ol>
    )}
  </>
);
