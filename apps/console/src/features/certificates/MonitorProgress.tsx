import { sslTone, type RunView, type SslMonitorStatus } from '@quarterdeck/projections';
import { Elapsed, tookMs } from '../../records/runs';
import { progressWords } from './monitor-words';
import classes from './monitor.module.css';

interface MonitorProgressProps {
  status: SslMonitorStatus;
  run: RunView | undefined;
  live: boolean;
}

/** Fills as domains are checked, and is green only if all is well. The text beside it says the same. */
export const MonitorProgress = ({ status, run, live }: MonitorProgressProps) => {
  const { total, checked } = status.counters;
  const words = progressWords(status);
  return (
    <div className={classes.progress}>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label="Domains checked"
        aria-valuemin={0}
        aria-valuemax={Math.max(total, 1)}
        aria-valuenow={checked}
        aria-valuetext={words}
        data-is={live ? 'live' : status.phase}
        data-tone={live ? undefined : sslTone(status)}
      >
        <span style={{ width: `${total === 0 ? 0 : (checked / total) * 100}%` }} />
      </div>
      <p>{words}</p>
      {run && (
        <span className={classes.dimmed}>
          <Elapsed since={run.startedAt} ms={tookMs(run)} />
        </span>
      )}
    </div>
  );
};
