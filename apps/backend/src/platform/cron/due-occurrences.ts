/** Which occurrences of a schedule are due, and which were missed. Pure. */

/** The times of a schedule. */
export interface Occurrences {
  next(after: Date): Date | undefined;
  /** The last one up to that instant, if it is at most so many milliseconds ago. */
  last(now: Date, withinMs: number): Date | undefined;
  /** Those after one instant up to another, which is included; at most so many. */
  between(after: Date, until: Date, max: number): Date[];
}

/** Looks back this far for occurrences that were missed. */
const LOOKS_BACK_MS = 400 * 86_400_000;
const MAX_COUNTED = 100;

export interface Due {
  /** The occurrence at which something is started now. */
  at?: Date;
  /** Those that were passed over since the last one. `more`: there are more than were counted. */
  missed?: { count: number; more: boolean; from: Date; to: Date };
}

interface DueTerms {
  /** The last occurrence that was seen to, or the instant from which on the schedule holds. */
  since: Date;
  now: Date;
  /** How long an occurrence is made up for, if nothing could be started then. */
  madeUpMs: number;
}

/** Of several occurrences since the last one, the newest is made up for, if it is recent enough. The others were missed. */
export const dueOccurrences = (occurrences: Occurrences, { since, now, madeUpMs }: DueTerms): Due => {
  const newest = occurrences.last(now, LOOKS_BACK_MS);
  if (!newest || newest <= since) return {};
  const isMadeUp = now.getTime() - newest.getTime() <= madeUpMs;
  const before = isMadeUp ? new Date(newest.getTime() - 1) : newest;
  const passed = occurrences.between(since, before, MAX_COUNTED + 1);
  const [from] = passed;
  return {
    ...(isMadeUp && { at: newest }),
    ...(from && {
      missed: {
        count: Math.min(passed.length, MAX_COUNTED),
        more: passed.length > MAX_COUNTED,
        from,
        to:
          (passed.length > MAX_COUNTED && occurrences.last(before, LOOKS_BACK_MS)) || (passed.at(-1) ?? from),
      },
    }),
  };
};

const minute = (at: Date): string => `${at.toISOString().slice(0, 16)}Z`;

export const missedInWords = ({ count, more, from, to }: NonNullable<Due['missed']>): string =>
  count === 1
    ? `the occurrence of ${minute(from)} was missed`
    : `${more ? 'more than ' : ''}${count} occurrences from ${minute(from)} to ${minute(to)} were missed`;
