import type { SslCounters } from '@quarterdeck/projections';
import { notChecked } from './monitor-words';
import classes from './monitor.module.css';

interface Tile {
  label: string;
  count: (counters: SslCounters) => number;
  tone?: 'good' | 'warn' | 'bad';
}

/** These add up to the total: each domain is counted in exactly one of them. */
const outcomes: readonly Tile[] = [
  { label: 'Valid', count: ({ valid }) => valid, tone: 'good' },
  { label: 'Expiring', count: ({ expiring }) => expiring, tone: 'warn' },
  { label: 'Expired', count: ({ expired }) => expired, tone: 'bad' },
  { label: 'Unreachable', count: ({ unreachable }) => unreachable, tone: 'bad' },
  { label: 'Not valid', count: ({ invalid }) => invalid, tone: 'bad' },
  { label: 'Not checked', count: notChecked },
];

/** `Failed` counts renewals. */
const renewals: readonly Tile[] = [
  { label: 'Renewed', count: ({ renewed }) => renewed, tone: 'good' },
  { label: 'Failed', count: ({ failed }) => failed, tone: 'bad' },
];

/** The counters. A count of zero has no colour. */
export const Tiles = ({ counters }: { counters: SslCounters }) => (
  <dl className={classes.tiles} aria-label="Counters">
    {[{ label: 'Total', count: ({ total }: SslCounters) => total }, ...outcomes, ...renewals].map(
      ({ label, count, ...tile }: Tile) => (
        <div key={label} className={classes.tile} data-tone={count(counters) > 0 ? tile.tone : undefined}>
          <dt>{label}</dt>
          <dd>{count(counters).toLocaleString('en')}</dd>
        </div>
      ),
    )}
  </dl>
);
