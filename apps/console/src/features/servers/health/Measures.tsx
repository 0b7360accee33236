/** Load, memory and disk as small bars with numbers. */
import type { HealthFigures, ServerView } from '@quarterdeck/projections';
import { useNewestHealth } from '../../../records/health';
import { ServerVerdictBadge } from '../../../records/verdicts';
import classes from './health.module.css';
import { measuresOf } from './health-words';

interface MeasuresProps {
  figures: HealthFigures;
  /** Also shows the total, such as `2 GiB of 8 GiB`. */
  detailed?: boolean;
}

export const Measures = ({ figures, detailed = false }: MeasuresProps) => (
  <div className={classes.measures} data-detailed={detailed || undefined}>
    {measuresOf(figures).map(({ id, label, part, value, detail, warning }) => (
      <span
        key={id}
        className={classes.measure}
        data-warning={warning !== undefined || undefined}
        title={detailed ? undefined : `${label} ${value} ${detail}`}
      >
        <span className={classes.measureLabel}>{label}</span>
        <span className={classes.bar} aria-hidden>
          <span style={{ width: `${(part * 100).toFixed(1)}%` }} />
        </span>
        <span className={classes.measureValue}>
          {value}
          {detailed && detail && <span className={classes.measureDetail}> {detail}</span>}
          {warning && <strong> {detailed ? warning.word : warning.short}</strong>}
        </span>
      </span>
    ))}
  </div>
);

/** List cell. Shows no figures if the newest check failed, because old ones would be mistaken for current ones. */
export const HealthCell = ({ server }: { server: ServerView }) => {
  const newest = useNewestHealth(server.id);
  return (
    <div className={classes.cell}>
      <ServerVerdictBadge server={server} />
      {newest?.ok && <Measures figures={newest} />}
    </div>
  );
};
