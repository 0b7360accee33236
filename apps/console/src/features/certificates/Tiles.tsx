import type { SslCounters } from '@quarterdeck/projections';
import classes from './monitor.module.css';

const tiles = [
  { name: 'total', label: 'Total' },
  { name: 'expiring', label: 'Expiring', tone: 'warn' },
  { name: 'expired', label: 'Expired', tone: 'bad' },
  { name: 'unreachable', label: 'Unreachable', tone: 'bad' },
  { name: 'invalid', label: 'Not valid', tone: 'bad' },
  { name: 'renewed', label: 'Renewed', tone: 'good' },
  { name: 'failed', label: 'Failed', tone: 'bad' },
] as const satisfies readonly { name: keyof SslCounters; label: string; tone?: string }[];

/** The counters; `Failed` counts renewals. None of something has no colour. */
export const Tiles = ({ counters }: { counters: SslCounters }) => (
  <dl className={classes.tiles} aria-label="Counters">
    {tiles.map(({ name, label, ...tile }) => (
      <div
        key={name}
        className={classes.tile}
        data-tone={'tone' in tile && counters[name] > 0 ? tile.tone : undefined}
      >
        <dt>{label}</dt>
        <dd>{counters[name].toLocaleString('en')}</dd>
      </div>
    ))}
  </dl>
);
