/** The time range of a log, read from the page's address. Pure. */
export const ranges = {
  live: 'Newest lines',
  '5m': 'Last 5 minutes',
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  custom: 'From … to …',
} as const;

export type RangeName = keyof typeof ranges;

const minutes: Partial<Record<RangeName, number>> = { '5m': 5, '15m': 15, '1h': 60, '6h': 360, '24h': 1440 };

export interface LogRange {
  name: RangeName;
  since?: string;
  until?: string;
}

export const rangeIn = (params: URLSearchParams): LogRange => {
  const name = params.get('range') ?? 'live';
  const known = Object.hasOwn(ranges, name) ? (name as RangeName) : 'live';
  if (known !== 'custom') return { name: known };
  const [since, until] = [params.get('since'), params.get('until')];
  return { name: known, ...(since && { since }), ...(until && { until }) };
};

/** @returns undefined if nothing is read beside what a follower begins with */
export const pastOf = (
  { name, since, until }: LogRange,
  now: number,
): { since?: string; until?: string } | undefined => {
  if (name === 'live') return undefined;
  if (name === 'custom') return { ...(since && { since }), ...(until && { until }) };
  return { since: new Date(now - (minutes[name] ?? 0) * 60_000).toISOString() };
};

/** What has an end is not followed. */
export const isOpen = ({ name, until }: LogRange): boolean => name !== 'custom' || until === undefined;

export const isTurned = ({ since, until }: Pick<LogRange, 'since' | 'until'>): boolean =>
  since !== undefined && until !== undefined && until <= since;
