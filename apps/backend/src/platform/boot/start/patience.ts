/** Waiting at the start for what is not there yet, with one line a try. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StartProblem, type Fault, type Setting } from '../../start-problem';

/** Pauses grow from one to the other: soon there when something just starts, quiet when it takes its time. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Why the start cannot go on, and whether that may pass by itself. */
export interface Obstacle extends Fault {
  waits: boolean;
}

export interface Patience {
  waitMs: number;
  /** Ends the wait, since the process is asked to end. */
  signal?: AbortSignal;
  tell(line: string): void;
}

export interface Awaited {
  /** `the event log at 127.0.0.1:2113` */
  what: string;
  setting: Setting;
  /** `undefined`: nobody foresaw it. */
  obstacleOf(error: unknown): Obstacle | undefined;
}

/** @throws StartProblem for an obstacle that stays; the signal's reason when the wait is ended */
export const untilThere = async <T>(
  attempt: () => Promise<T>,
  { what, setting, obstacleOf }: Awaited,
  { waitMs, signal, tell }: Patience,
): Promise<T> => {
  const end = performance.now() + waitMs;
  let told = false;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const obstacle = obstacleOf(error);
      if (!obstacle) throw error;
      const left = end - performance.now();
      // Also where the first try took all the time, there is a second one.
      if (!obstacle.waits || waitMs === 0 || (told && left <= 0))
        throw new StartProblem(setting, obstacle, error);
      told = true;
      tell(`waiting for ${what}: it ${obstacle.wrong}`);
      await sleep(Math.max(0, Math.min(pause, left)), undefined, { signal }).catch(() => undefined);
    }
  }
};
