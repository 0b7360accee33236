/**
 * A fault, what must hold in spite of it, and one trial of it. `npm test` tries each once; `npm run faults -- --n 100`
 * tries each as often as asked and prints the pass rates.
 */
import { appendFileSync } from 'node:fs';

export interface Fault {
  /** What is done to the system. */
  fault: string;
  /** What must hold. */
  must: string;
  /** How much of `--n` is spent on it: a trial of a minute is not tried a hundred times. Default 1. */
  share?: number;
  /** How long one trial may take. Default: three minutes. */
  trialMs?: number;
  /** One trial. Throws when what must hold does not. @returns a figure worth printing, such as `ready after 812 ms` */
  trial(turn: number): Promise<string | void>;
}

const asked = Number(process.env.FAULTS_N ?? 1);
const report = process.env.FAULTS_REPORT;
const A_TRIAL_MS = 180_000;

/**
 * A time that must hold. `npm run faults` takes it at its word; `npm test` shares its machine with the other tests and
 * only sees that it comes to an end, since a test that fails on a busy day is soon believed by nobody.
 */
export const budget = (ms: number): number => (report ? ms : ms * 6);

/** Declares the fault as a test. */
export const fault = ({ fault: name, must, share = 1, trialMs = A_TRIAL_MS, trial }: Fault): void => {
  const turns = Math.max(1, Math.round(asked * share));
  test(
    `${name}: ${must}`,
    async () => {
      const failures: unknown[] = [];
      const figures: string[] = [];
      for (let turn = 0; turn < turns; turn++)
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

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Asks until it holds, within the budget. @returns after how many milliseconds it did */
export const within = async (
  ms: number,
  what: string,
  holds: () => Promise<boolean> | boolean,
): Promise<number> => {
  for (const began = Date.now(); ; await pause(20)) {
    if (await holds()) return Date.now() - began;
    if (Date.now() - began > budget(ms)) throw new Error(`${what} did not happen within ${ms} ms`);
  }
};

/** A moment that differs from turn to turn, and is the same in every run of the list. */
export const moment = (turn: number, longestMs: number): number =>
  Math.floor(((turn * 0.618_034 + 0.37) % 1) * longestMs);
