/** Waits at the start for services that are not ready yet, with one log line per attempt. */
import { Backoff, rest } from '@quarterdeck/events';
import { StartProblem, type Fault, type Setting } from '../../start-problem';

/** Pauses grow from the first to the longest: attempts are frequent at first, and log little if it takes longer. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Why the start cannot continue, and whether waiting may help. */
export interface Obstacle extends Fault {
  waits: boolean;
}

export interface Patience {
  waitMs: number;
  /** Aborts the wait, because the process is asked to end. */
  signal?: AbortSignal;
  tell(line: string): void;
}

export interface Awaited {
  /** `the event log at 127.0.0.1:2113` */
  what: string;
  setting: Setting;
  /** @returns undefined for an unforeseen error */
  obstacleOf(error: unknown): Obstacle | undefined;
}

/** @throws StartProblem for an obstacle that stays; the signal's reason if the wait is aborted */
export const untilThere = async <T>(
  attempt: () => Promise<T>,
  { what, setting, obstacleOf }: Awaited,
  { waitMs, signal, tell }: Patience,
): Promise<T> => {
  const end = performance.now() + waitMs;
  let told = false;
  for (const backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS); ;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const obstacle = obstacleOf(error);
      if (!obstacle) throw error;
      const left = end - performance.now();
      // There is always a second attempt, even if the first one used up the time.
      if (!obstacle.waits || waitMs === 0 || (told && left <= 0))
        throw new StartProblem(setting, obstacle, error);
      told = true;
      tell(`waiting for ${what}: it ${obstacle.wrong}`);
      await rest(Math.max(0, Math.min(backoff.next(), left)), signal);
    }
  }
};
