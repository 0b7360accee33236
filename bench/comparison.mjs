/** Two runs of the benchmarks, figure by figure. */

/** A figure that was measured once has no spread of its own: so far apart two of the same program were seen. */
const SINGLE = 0.15;

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
};

const spreadOf = (figures) => {
  if (figures.length > 1) return [Math.min(...figures), Math.max(...figures)];
  const [one] = figures;
  return [one * (1 - SINGLE), one * (1 + SINGLE)];
};

/**
 * @typedef {{ what: string, figures: number[], target: { atLeast: number } | { atMost: number } }} Line
 * @typedef {{ programs: Record<string, Line[]> }} Run
 * @param {Run} before
 * @param {Run} after
 * @returns {{ what: string, change: 'better' | 'worse' | 'same' | 'new' | 'gone', text: string }[]} `same` when the
 *   median of either lies within the spread of the other: a change inside the noise is no change
 */
export function comparison(before, after) {
  const result = [];
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

function changed(old, line) {
  const [from, to] = [median(old.figures), median(line.figures)];
  const isWithin = (value, [low, high]) => value >= low && value <= high;
  const isNoise = isWithin(to, spreadOf(old.figures)) || isWithin(from, spreadOf(line.figures));
  const isMore = 'atLeast' in line.target ? to > from : to < from;
  const change = isNoise ? 'same' : isMore ? 'better' : 'worse';
  return told(line.what, change, old.figures, line.figures);
}

const figure = (value) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);

const inWords = (figures) => {
  const [low, high] = [Math.min(...figures), Math.max(...figures)];
  const spread = figures.length > 1 ? ` (${figure(low)}-${figure(high)})` : '';
  return `${figure(median(figures))}${spread}`;
};

const told = (what, change, ...runs) => ({
  what,
  change,
  text: `${what.padEnd(44)} ${change.padEnd(7)} ${runs.map(inWords).join(' -> ')}`,
});
