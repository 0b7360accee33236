/**
 * The time of a replay. Pure. There are two kinds: *recorded* time passed during the run, in milliseconds since it
 * began; in *played* time, pauses without output are shortened. Links and displayed times use recorded time. The
 * timeline and the playhead use played time, so a run that was retried a day later does not have a day of silence.
 */

/** Longer pauses are shortened to this length. */
export const IDLE_LIMIT_MS = 2000;

export interface Pause {
  from: number;
  to: number;
  /** Played time of its start. */
  playedFrom: number;
}

export interface Timeline {
  /** Recorded time of the end. */
  durationMs: number;
  /** Played time of the end. */
  length: number;
  /** The shortened pauses, in order. */
  pauses: readonly Pause[];
}

/** @param instants recorded times of events, ascending */
export const timelineOf = (instants: Iterable<number>, durationMs: number, skipIdle: boolean): Timeline => {
  const pauses: Pause[] = [];
  let [last, saved] = [0, 0];
  const upTo = (instant: number): void => {
    if (instant - last > IDLE_LIMIT_MS) {
      pauses.push({ from: last, to: instant, playedFrom: last - saved });
      saved += instant - last - IDLE_LIMIT_MS;
    }
    last = Math.max(last, instant);
  };
  if (skipIdle) for (const instant of instants) upTo(Math.min(instant, durationMs));
  if (skipIdle) upTo(durationMs);
  return { durationMs, length: durationMs - saved, pauses };
};

/** The last pause whose recorded or played start is before `limit`. */
const pauseBefore = (
  pauses: readonly Pause[],
  by: 'from' | 'playedFrom',
  limit: number,
): Pause | undefined => {
  let [low, high] = [0, pauses.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pauses[middle]?.[by] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return pauses[low - 1];
};

const within = (value: number, max: number): number => Math.min(Math.max(value, 0), max);

/** Within a pause, played time advances evenly. */
export const toPlayed = ({ pauses, durationMs }: Timeline, recorded: number): number => {
  const at = within(recorded, durationMs);
  const pause = pauseBefore(pauses, 'from', at);
  if (!pause) return at;
  const { from, to, playedFrom } = pause;
  return at >= to
    ? playedFrom + IDLE_LIMIT_MS + (at - to)
    : playedFrom + ((at - from) / (to - from)) * IDLE_LIMIT_MS;
};

export const toRecorded = ({ pauses, length }: Timeline, played: number): number => {
  const at = within(played, length);
  const pause = pauseBefore(pauses, 'playedFrom', at);
  if (!pause) return at;
  const { from, to, playedFrom } = pause;
  const into = at - playedFrom;
  const recorded =
    into >= IDLE_LIMIT_MS ? to + (into - IDLE_LIMIT_MS) : from + (into / IDLE_LIMIT_MS) * (to - from);
  // Rounds so that converting to played time and back gives the same instant, not one slightly before it.
  return Math.round(recorded * 1000) / 1000;
};

export const speeds = [0.5, 1, 2, 4, 8, 16, 'max'] as const;
export type Speed = (typeof speeds)[number];

/** At the highest speed, any recording is over in this time. */
const FASTEST_MS = 3000;

/** Played milliseconds per millisecond. */
export const rateOf = (speed: Speed, { length }: Timeline): number =>
  speed === 'max' ? Math.max(64, length / FASTEST_MS) : speed;

/** The position of a replay: a played time, from which it has been playing since `since` if that is set. */
export interface Playhead {
  at: number;
  since?: number;
  rate: number;
}

/** Computed from the time passed, not from counted ticks, which are late or missing in a hidden tab. */
export const playedAt = ({ at, since, rate }: Playhead, now: number, { length }: Timeline): number =>
  within(since === undefined ? at : at + (now - since) * rate, length);

/** Parses the seconds of `?t=12.4` into milliseconds. */
export const parseTime = (written: string | null): number | undefined => {
  const seconds = written !== null && /^\d{1,9}(\.\d{1,3})?$/.test(written) ? Number(written) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : seconds * 1000;
};

/** Seconds for a URL, rounded up to a tenth so that the link shows everything that was visible. */
export const timeParam = (ms: number): string => String(Math.ceil(ms / 100) / 10);

const two = (n: number): string => String(n).padStart(2, '0');

/** `0:12.4`, `1:02:03.4` */
export const clockTime = (ms: number): string => {
  const tenths = Math.floor(ms / 100);
  const [hours, minutes, seconds] = [
    Math.floor(tenths / 36_000),
    Math.floor(tenths / 600) % 60,
    Math.floor(tenths / 10) % 60,
  ];
  const start = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${start}:${two(seconds)}.${tenths % 10}`;
};
