import type { SslCounters } from '@quarterdeck/projections';
import { notChecked } from './monitor-words';
import { Box, Group } from '@mantine/core';
import { toneColor } from '../../ui/tone';

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
  <Group component="dl" gap="4px 20px" m={0} aria-label="Counters">
    {[{ label: 'Total', count: ({ total }: SslCounters) => total }, ...outcomes, ...renewals].map(
      ({ label, count, ...tile }: Tile) => (
        <Group key={label} gap={6} align="baseline">
          <Box component="dt" c="dimmed">
            {label}
          </Box>
          <Box
            component="dd"
            m={0}
            fz={16}
            fw={600}
            {...(tile.tone && count(counters) > 0 && { c: toneColor(tile.tone) })}
          >
            {count(counters).toLocaleString('en')}
          </Box>
        </Group>
      ),
    )}
  </Group>
);
