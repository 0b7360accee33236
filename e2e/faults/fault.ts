/**
 * A fault, what must hold in spite of it, and one trial of it. `npm test` tries each once, but those in `long`, whose
 * trials are dear. `npm run faults -- --n 100` repeats each as often as requested and prints the pass rates.
 */
import { appendFileSync } from 'node:fs';
import { pause } from '../../testing/patience';

export interface Fault {
  /** What happens to the system. */
  fault: string;
  /** What must hold. */
  must: string;
  /** Share of `--n` for this fault: a trial of a minute is not repeated a hundred times. Default: 1. */
  share?: number;
  /** Time limit of one trial. Default: ten minutes. */
  trialMs?: number;
  /** One trial. Throws if what must hold does not. @returns a figure worth printing, such as `ready after 812 ms` */
  trial(turn: number): Promise<string | void>;
}

const asked = Number(process.env.FAULTS_N ?? 1);
/** Number of the first trial. */
const from = Number(process.env.FAULTS_FROM ?? 0);
const report = process.env.FAULTS_REPORT;
const A_TRIAL_MS = 600_000;

/**
 * A time limit that must hold. `npm run faults` enforces it. `npm test` shares its machine with other tests and only
 * checks that it ends at all, because nobody trusts a test that fails on a busy day.
 */
export const budget = (ms: number): number => (report ? ms : ms * 40);

/** Declares the fault as a test. */
export const fault = ({ fault: name, must, share = 1, trialMs = A_TRIAL_MS, trial }: Fault): void => {
  const turns = Math.max(1, Math.round(asked * share));
  test(
    `${name}: ${must}`,
    async () => {
      const failures: unknown[] = [];
      const figures: string[] = [];
      for (let turn = from; turn < from + turns; turn++)
        try {
          const figure = await trial(turn);
          if (figure) figures.push(figure);
        } catch (error) {
          failures.push(error);
        }
      if (report) {
        const reason = failures[0] instanceof Error ? failures[0].message.split('\n')[0] : undefined;
        const line = {
          fault: name,
          must,
          turns,
          passed: turns - failures.length,
          figure: figures.sort().at(-1),
          reason,
        };
        appendFileSync(report, `${JSON.stringify(line)}\n`);
      }
      if (failures.length > 0) throw failures[0];
    },
    turns * trialMs,
  );
};

/**
 * Polls until it holds, within the budget, and less often the longer it takes: each poll is work for the system that
 * the trial waits for. @returns the milliseconds that it took
 */
export const within = async (
  ms: number,
  what: string,
  holds: () => Promise<boolean> | boolean,
): Promise<number> => {
  for (const began = Date.now(); ;) {
    if (await holds()) return Date.now() - began;
    const waited = Date.now() - began;
    if (waited > budget(ms)) throw new Error(`${what} did not happen within ${ms} ms`);
    await pause(Math.min(20 + waited / 20, 200));
  }
};

/** A moment that differs between turns, but is the same in every run of the list. */
export const moment = (turn: number, longestMs: number): number =>
  Math.floor(((turn * 0.618_034 + 0.37) % 1) * longestMs);
