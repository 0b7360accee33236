/** Splits a line into segments that have one style and are either inside or outside a search hit. */
import type { OutputLine } from './line-writer';
import { PLAIN, type Style } from './sgr';

export interface Segment {
  text: string;
  style: Style;
  hit: boolean;
}

export const segmentsOf = (
  line: Pick<OutputLine, 'text' | 'runs'>,
  hits: readonly { from: number; to: number }[],
  max = Infinity,
): Segment[] => {
  const end = Math.min(line.text.length, max);
  const runs = line.runs ?? [];
  const cuts = new Set([0, end]);
  for (const { from, to } of [...runs, ...hits]) {
    if (from < end) cuts.add(from);
    if (to < end) cuts.add(to);
  }
  const edges = [...cuts].toSorted((a, b) => a - b);
  const segments: Segment[] = [];
  let run = 0;
  let hit = 0;
  for (let i = 0; i + 1 < edges.length; i += 1) {
    const [from = 0, to = end] = [edges[i], edges[i + 1]];
    while ((runs[run]?.to ?? Infinity) <= from) run += 1;
    while ((hits[hit]?.to ?? Infinity) <= from) hit += 1;
    const style = (runs[run]?.from ?? Infinity) <= from ? (runs[run]?.style ?? PLAIN) : PLAIN;
    segments.push({ text: line.text.slice(from, to), style, hit: (hits[hit]?.from ?? Infinity) <= from });
  }
  return segments;
};
