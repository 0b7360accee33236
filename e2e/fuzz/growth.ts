/** Measures how the work of a function grows with its input: a ratio, because tests share the machine with others. */
import fs from 'node:fs';

/** Allowed growth of processor time when the input doubles: 2 is linear, 4 is quadratic. */
const MAX = 3;
const TURNS = 3;
const ATTEMPTS = 6;
/** Added to each time, since short ones are noise: one collection of garbage. What grows with the square costs more. */
const NOISE_MS = 15;

/** Processor time of the main thread, or of the process where the system does not tell. */
export const mainThreadMs = (pid: number = process.pid): number => {
  const [nanoseconds] = fs.readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
};

/** The shortest of some turns: everything else is the work of others, such as the collection of garbage. */
const shortest = async (work: () => unknown, pid?: number): Promise<number> => {
  let least = Infinity;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = mainThreadMs(pid);
    await work();
    least = Math.min(least, mainThreadMs(pid) - before);
  }
  return least + NOISE_MS;
};

interface Growth {
  /** Times for n, 2n and 4n. */
  ms: number[];
  grows: boolean;
}

/**
 * @param prepare makes the input of this size, and returns the work with it
 * @param n small enough that quadratic work ends, and large enough that it shows
 * @param pid the process that works, if it is not this one
 */
export const growthOf = async (
  prepare: (n: number) => () => unknown,
  n: number,
  pid?: number,
): Promise<Growth> => {
  await prepare(n)();
  // Others can only make it longer, so the least of several attempts is the nearest to its cost.
  const sizes = [n, 2 * n, 4 * n];
  const ms = sizes.map(() => Infinity);
  for (let attempt = 1; ; attempt += 1) {
    for (const [at, size] of sizes.entries())
      ms[at] = Math.min(ms[at] ?? Infinity, await shortest(prepare(size), pid));
    const [one = 0, two = 0, four = 0] = ms;
    const grows = two > MAX * one || four > MAX * two;
    if (!grows || attempt === ATTEMPTS) return { ms: ms.map((each) => Math.round(each)), grows };
  }
};
