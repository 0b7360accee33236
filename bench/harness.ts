/**
 * Every figure here is a ratio to a floor that ran on the same machine within the same seconds: the variants take
 * turns, and the ratio is taken turn by turn, so that whatever else the machine does falls on both.
 */

export interface Variant {
  /** What ran, in a few words. */
  name: string;
  /** One turn; answers with its figure: so many a second, or so many milliseconds. */
  turn(): Promise<number>;
}

export interface Comparison {
  what: string;
  unit: '/s' | 'ms' | 's' | 'MB/s';
  /** `{ atLeast: 0.8 }` for throughput, `{ atMost: 2 }` for times: ours divided by the floor. */
  target: { atLeast: number } | { atMost: number };
  floor: Variant;
  ours: Variant;
  /** Default 5. */
  turns?: number;
}

export interface Line {
  what: string;
  ratio: number;
  met: boolean;
  text: string;
}

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

/** Runs floor and ours in turns, after one turn of each that does not count, and prints the line. */
export async function compare({ what, unit, target, floor, ours, turns = 5 }: Comparison): Promise<Line> {
  await floor.turn();
  await ours.turn();
  const floors: number[] = [];
  const figures: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    // Who begins changes, so that neither always follows the other's garbage.
    const order = turn % 2 === 0 ? [floor, ours] : [ours, floor];
    for (const variant of order) (variant === floor ? floors : figures).push(await variant.turn());
  }
  const ratios = figures.map((value, turn) => value / (floors[turn] ?? NaN));
  const ratio = median(ratios);
  const met = 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
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
  return { what, ratio, met, text };
}

/** A figure without a floor, such as "0 missed of 1,000,000". */
export function state(what: string, met: boolean, words: string): Line {
  const text = `${what.padEnd(44)} ${met ? 'met   ' : 'MISSED'} ${words}`;
  console.log(text);
  return { what, ratio: NaN, met, text };
}

/** As many callers at once for so long, each waiting for its answer; answers with completed calls a second. */
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

/** The end of every bench program: says what was missed, and exits with 1 when something was. */
export function finish(lines: Line[]): void {
  const missed = lines.filter(({ met }) => !met);
  console.log(`${lines.length - missed.length} of ${lines.length} targets met`);
  if (missed.length > 0) process.exitCode = 1;
}
