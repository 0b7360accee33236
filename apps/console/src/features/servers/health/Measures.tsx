/** Load, memory and disk as small bars with numbers. */
import type { HealthFigures, ServerView } from '@quarterdeck/projections';
import { useNewestHealth } from '../../../records/health';
import { ServerVerdictBadge } from '../../../records/verdicts';
import classes from './health.module.css';
import { measuresOf } from './health-words';
import { Dim } from '../../../ui/Note';
import { Group } from '@mantine/core';
import { Meter } from '../../../ui/Meter';
import look from '../../../ui/look.module.css';

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
        <Dim>{label}</Dim>
        <Meter
          parts={[{ tone: warning ? 'bad' : 'info', share: part }]}
          className={`${look.meter} ${classes.bar}`}
          h={4}
          aria-hidden
        />
        <span className={classes.measureValue}>
          {value}
          {detailed && detail && <Dim> {detail}</Dim>}
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
    <Group gap="4px 12px" maw={320} py={4}>
      <ServerVerdictBadge server={server} />
      {newest?.ok && <Measures figures={newest} />}
    </Group>
  );
};
