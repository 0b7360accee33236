/**
 * Every figure is a ratio to a floor measured on the same machine within the same seconds. The variants alternate, and
 * the ratio is computed turn by turn, so other load affects both.
 */
import fs from 'node:fs';

export interface Variant {
  /** Short name of what ran. */
  name: string;
  /** One turn; returns its figure: a rate per second, or milliseconds. */
  turn(): Promise<number>;
}

export interface Comparison {
  what: string;
  unit: '/s' | 'ms' | 's' | 'MB/s';
  /** Limit of our figure divided by the floor: `{ atLeast: 0.8 }` for throughput, `{ atMost: 2 }` for times. */
  target: Target;
  floor: Variant;
  ours: Variant;
  /** Default: 5. */
  turns?: number;
}

export type Target = { atLeast: number } | { atMost: number };

/** One figure of a program, as it is printed and stored for later comparisons. */
export interface Line {
  what: string;
  target: Target;
  /** One per turn, or only one: ratios to the floor, or the figure itself. */
  figures: number[];
  met: boolean;
  text: string;
}

export const isQuick = process.env.BENCH_QUICK !== undefined;

/**
 * Number of events, domains or megabytes: `BENCH_EVENTS`, or a part of the default with `--quick`, which is to end within
 * eight minutes on two cores that others use too: a program has fifteen seconds.
 */
export const amountOf = (whole: number, part = 1 / 10): number =>
  Number(process.env.BENCH_EVENTS ?? (isQuick ? Math.round(whole * part) : whole));

/** How often each variant runs: `BENCH_TURNS`, or at most `quick` times with `--quick`. */
export const turnsOf = (whole: number, quick = 3): number =>
  Number(process.env.BENCH_TURNS ?? (isQuick ? Math.min(whole, quick) : whole));

/** Duration of a turn of callers: `BENCH_TURN_MS`, or a part of the default with `--quick`. */
export const turnMsOf = (whole: number, part = 1 / 3): number =>
  Number(process.env.BENCH_TURN_MS ?? (isQuick ? whole * part : whole));

const isMet = (figure: number, target: Target): boolean =>
  'atLeast' in target ? figure >= target.atLeast : figure <= target.atMost;

export const median = (values: readonly number[]): number => percentile(values, 50);

export const percentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (p / 100) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)] ?? NaN, sorted[Math.ceil(rank)] ?? NaN];
  return low + (high - low) * (rank - Math.floor(rank));
};

const figure = (value: number, unit: string): string =>
  unit === '/s' || value >= 1000
    ? `${Math.round(value).toLocaleString('en')} ${unit}`
    : `${value.toFixed(2)} ${unit}`;

/** Runs floor and ours alternately, after a warm-up turn of each, and prints the line. */
export async function compare({ what, unit, target, floor, ours, turns = 5 }: Comparison): Promise<Line> {
  await floor.turn();
  await ours.turn();
  const floors: number[] = [];
  const figures: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    // The order alternates, so that neither always suffers from the other's garbage.
    const order = turn % 2 === 0 ? [floor, ours] : [ours, floor];
    for (const variant of order) (variant === floor ? floors : figures).push(await variant.turn());
  }
  const ratios = figures.map((value, turn) => value / (floors[turn] ?? NaN));
  const ratio = median(ratios);
  const met = isMet(ratio, target);
  const goal = 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
  const spread = `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
  const text = [
    what.padEnd(44),
    `${ratio.toFixed(2)} x`.padStart(8),
    `(${spread})`.padEnd(13),
    `target ${goal}`.padEnd(15),
    met ? 'met   ' : 'MISSED',
    `ours ${figure(median(figures), unit)}, floor ${figure(median(floors), unit)} (${floor.name})`,
  ].join(' ');
  console.log(text);
  return { what, target, figures: ratios, met, text };
}

/** A figure without a floor, such as "0 missed of 1,000,000". */
export function state(what: string, figure: number, target: Target, words: string): Line {
  const met = isMet(figure, target);
  const text = `${what.padEnd(44)} ${met ? 'met   ' : 'MISSED'} ${words}`;
  console.log(text);
  return { what, target, figures: [figure], met, text };
}

/** Runs this many callers for a time, each waiting for its answers; returns completed calls per second. */
export async function callers(
  count: number,
  milliseconds: number,
  call: (caller: number) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  const began = performance.now();
  const end = began + milliseconds;
  await Promise.all(
    Array.from({ length: count }, async (_, caller) => {
      while (performance.now() < end) {
        await call(caller);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - began) / 1000);
}

/** Memory of a process in MB: what it has now, and the most that it ever had. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

/**
 * The end of every program: reports missed targets, and exits with 1 if there are any. `scripts/bench.mjs` reads the
 * lines from the file in `BENCH_LINES`.
 */
export function finish(lines: Line[]): void {
  if (process.env.BENCH_LINES) fs.writeFileSync(process.env.BENCH_LINES, JSON.stringify(lines));
  const missed = lines.filter(({ met }) => !met);
  console.log(`${lines.length - missed.length} of ${lines.length} targets met`);
  if (missed.length > 0) process.exitCode = 1;
}
