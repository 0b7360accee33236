/**
 * Watches the main thread from another one. Work that never ends keeps the main thread from saying anything itself, and
 * a process that serves nobody and does not end is worse than one that is started anew: its runs go on elsewhere.
 */
import { writeSync } from 'node:fs';
import type { Job } from '../threads';
import { beatsIn, callsIn, type Memory } from './watched';

/** Seconds of the watching thread: it stands still when the whole process does. */
const TICK_MS = 1000;

export interface Watching {
  readonly memory: Memory;
  /** It is logged after so many seconds, and after each further so many. */
  readonly tellAfter: number;
  /** The process is ended after so many seconds. Undefined: never, as under a debugger. */
  readonly endAfter: number | undefined;
}

/** A line as the log has them. The log itself belongs to the main thread. */
const tell = (level: string, fields: object, msg: string): void => {
  const line = { level, time: new Date().toISOString(), pid: process.pid, ...fields, msg };
  try {
    writeSync(2, `${JSON.stringify(line)}\n`);
  } catch {
    // A log that takes nothing must not end the thread that watches.
  }
};

const watch = ({ memory, tellAfter, endAfter }: Watching): void => {
  let [last, seconds] = [beatsIn(memory), 0];
  setInterval(() => {
    const now = beatsIn(memory);
    seconds = now === last ? seconds + 1 : 0;
    last = now;
    if (seconds === 0) return;
    const fields = { seconds, calls: callsIn(memory) };
    if (seconds === endAfter) {
      tell('fatal', fields, 'the main thread serves nobody any more, so the process is ended');
      process.kill(process.pid, 'SIGKILL');
    } else if (seconds % tellAfter === 0) tell('error', fields, 'the main thread is held, nobody is served');
  }, TICK_MS);
};

/** Its thread has to be its own: it never ends. */
export const watchMainThreadFromOutside: Job<Watching, void> = { name: 'watchMainThread', work: watch };
