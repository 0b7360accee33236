/** Compares two runs of the benchmarks, figure by figure. */
import { median, type Line } from './harness';

/** A figure that was measured once has no spread. Two runs of the same program differed by up to this much. */
const SINGLE = 0.15;

const spreadOf = (figures: readonly number[]): [low: number, high: number] => {
  if (figures.length > 1) return [Math.min(...figures), Math.max(...figures)];
  const one = figures[0] ?? NaN;
  return [one * (1 - SINGLE), one * (1 + SINGLE)];
};

type Change = 'better' | 'worse' | 'same' | 'new' | 'gone';
export type Figures = Pick<Line, 'what' | 'figures' | 'target'>;
export interface Run {
  /** Figures by program. */
  programs: Record<string, Figures[]>;
}
export interface Compared {
  what: string;
  change: Change;
  text: string;
}

/** A change is `same` if the median of either run is within the spread of the other: it is noise. */
export function comparison(before: Run, after: Run): Compared[] {
  const result: Compared[] = [];
  for (const [program, lines] of Object.entries(after.programs)) {
    const earlier = before.programs[program] ?? [];
    for (const line of lines) {
      const old = earlier.find(({ what }) => what === line.what);
      result.push(old ? changed(old, line) : told(line.what, 'new', line.figures));
    }
    for (const old of earlier)
      if (!lines.some(({ what }) => what === old.what)) result.push(told(old.what, 'gone', old.figures));
  }
  return result;
}

function changed(old: Figures, line: Figures): Compared {
  const [from, to] = [median(old.figures), median(line.figures)];
  const isWithin = (value: number, [low, high]: [number, number]) => value >= low && value <= high;
  const isNoise = isWithin(to, spreadOf(old.figures)) || isWithin(from, spreadOf(line.figures));
  const isMore = 'atLeast' in line.target ? to > from : to < from;
  const change = isNoise ? 'same' : isMore ? 'better' : 'worse';
  return told(line.what, change, old.figures, line.figures);
}

const figure = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);

const inWords = (figures: readonly number[]): string => {
  const [low, high] = [Math.min(...figures), Math.max(...figures)];
  const spread = figures.length > 1 ? ` (${figure(low)}-${figure(high)})` : '';
  return `${figure(median(figures))}${spread}`;
};

const told = (what: string, change: Change, ...runs: number[][]): Compared => ({
  what,
  change,
  text: `${what.padEnd(44)} ${change.padEnd(7)} ${runs.map(inWords).join(' -> ')}`,
});
