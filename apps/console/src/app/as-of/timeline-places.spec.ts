// covers: AUD-03
import type { InstantTimeline } from '@quarterdeck/projections';
import { markBy, markOn, marksOf, stepOf, STEPS } from './timeline-places';

const line: InstantTimeline = {
  from: '2026-11-22T00:00:00.000Z',
  to: '2026-11-22T10:00:00.000Z',
  events: 12,
  stretches: [
    { at: '2026-11-22T00:00:00.000Z', position: '1', events: 1 },
    { at: '2026-11-22T05:00:00.000Z', position: '11', events: 10 },
    { at: '2026-11-22T09:00:00.000Z', position: '12', events: 1 },
  ],
};
const marks = marksOf(line);

describe('the timeline', () => {
  test('places marks in proportion to time, with the busiest stretch highest', () => {
    expect(marks.map(({ step }) => step)).toEqual([0, 500, 900]);
    expect(marks.map(({ height }) => height > 0 && height <= 1)).toEqual([true, true, true]);
    expect(marks[1]?.height).toBe(1);
    expect(stepOf(line, '2026-11-22T05:00:00.000Z')).toBe(500);
    expect([stepOf(line, undefined), stepOf(line, '2027-01-01T00:00:00Z')]).toEqual([STEPS, STEPS]);
    expect(stepOf(line, '2020-01-01T00:00:00Z')).toBe(0);
  });

  test('snaps a step to the last mark before it', () => {
    expect(markBy(marks, 499)?.stretch.position).toBe('1');
    expect(markBy(marks, 500)?.stretch.position).toBe('11');
    expect(markBy(marks, STEPS)?.stretch.position).toBe('12');
    expect(markBy([], 5)).toBeUndefined();
  });

  test('moves from mark to mark and skips empty stretches', () => {
    expect(markOn(marks, STEPS, -1)?.stretch.position).toBe('12');
    expect(markOn(marks, 900, -1)?.stretch.position).toBe('11');
    expect(markOn(marks, 500, 1)?.stretch.position).toBe('12');
    expect(markOn(marks, 500, -10)?.stretch.position).toBe('1');
    expect(markOn(marks, 900, 1)).toBeUndefined();
  });
});
