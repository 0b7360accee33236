import classes from './fleet.module.css';
import { doneOf, progressWords, type Progress } from './host-state';

/** Progress bar with one segment for each outcome, and the same as text. */
export const FleetProgress = ({ progress, live }: { progress: Progress; live: boolean }) => {
  const { all, succeeded, failed, cancelled, underWay, waiting } = progress;
  const parts = [
    ['succeeded', succeeded],
    ['failed', failed],
    ['cancelled', cancelled],
    ['running', underWay],
    ['waiting', waiting],
  ] as const;
  return (
    <div className={classes.progress}>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label="Servers done"
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={doneOf(progress)}
        aria-valuetext={progressWords(progress)}
      >
        {parts.map(([is, count]) => count > 0 && <span key={is} data-is={is} style={{ flexGrow: count }} />)}
      </div>
      <p className={classes.hint} role={live ? 'status' : undefined}>
        {progressWords(progress)}
      </p>
    </div>
  );
};
