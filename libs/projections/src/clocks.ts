/** The clocks of time zones: what they show at an instant, and at which instants they show a time. Pure. */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  // oxlint-disable-next-line quarterdeck/same-everywhere -- only a runtime knows the clocks, and no view depends on them
  const made = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
};

/** Clocks are changed at quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const MAX_OFFSETS = 20_000;
const offsets = new Map<string, number>();

/** By how much the clocks of a zone are ahead of UTC; all in milliseconds. */
export const offsetAt = (zone: string, at: number): number => {
  const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const parts = new Map(
    formatOf(zone)
      .formatToParts(quarter)
      .map(({ type, value }) => [type as string, Number(value)]),
  );
  const part = (name: string): number => parts.get(name) ?? 0;
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  if (offsets.size >= MAX_OFFSETS) offsets.clear();
  offsets.set(key, local - quarter);
  return local - quarter;
};

/**
 * The instants at which the clocks of a zone show a time: two if they are set back over it, none if they are set forward
 * over it.
 *
 * @param local what they show, as if it were UTC
 */
export const instantsOf = (zone: string, local: number): readonly number[] =>
  [...new Set([offsetAt(zone, local - DAY_MS), offsetAt(zone, local + DAY_MS)])]
    .map((offset) => local - offset)
    .filter((at) => at + offsetAt(zone, at) === local)
    .sort((one, other) => one - other);

/** The first of them. A time that a change of the clocks leaves out is later by as much as they are set forward. */
export const instantOf = (zone: string, local: number): number =>
  instantsOf(zone, local)[0] ?? local - offsetAt(zone, local - DAY_MS);
