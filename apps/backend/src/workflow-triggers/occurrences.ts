/** Which occurrences of a schedule are due, and which were missed. Pure. */
import { lastOccurrence, nextOccurrence } from '../platform/cron-occurrences';

/** How long an occurrence is made up for, if nothing could be started then. */
const MADE_UP_MS = 60 * 60_000;
/** Looks back this far for occurrences that were missed. */
const LOOKS_BACK_MS = 400 * 86_400_000;
const MAX_COUNTED = 1000;

export interface Due {
  /** The occurrence at which an instance is started now. */
  at?: Date;
  /** Those that were passed over since the last one. `more`: there are more than were counted. */
  missed?: { count: number; more: boolean; from: Date; to: Date };
}

/**
 * Of several occurrences since the last one, the newest is made up for, if it is at most an hour ago. The others were
 * missed.
 *
 * @param since the last occurrence that was seen to, or the instant from which on the schedule holds
 */
export const dueOccurrences = (schedule: string, since: Date, now: Date): Due => {
  const newest = lastOccurrence(schedule, now, LOOKS_BACK_MS);
  if (!newest || newest <= since) return {};
  const isMadeUp = now.getTime() - newest.getTime() <= MADE_UP_MS;
  const passed: Date[] = [];
  let one = nextOccurrence(schedule, since);
  while (one && one <= newest && passed.length <= MAX_COUNTED) {
    if (!isMadeUp || one < newest) passed.push(one);
    one = nextOccurrence(schedule, one);
  }
  const [from] = passed;
  return {
    ...(isMadeUp && { at: newest }),
    ...(from && {
      missed: {
        count: Math.min(passed.length, MAX_COUNTED),
        more: passed.length > MAX_COUNTED,
        from,
        to: passed.length > MAX_COUNTED ? newest : (passed.at(-1) ?? from),
      },
    }),
  };
};
