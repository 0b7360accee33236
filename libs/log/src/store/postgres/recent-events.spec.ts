import type { KeptEvent } from '../engine';
import { RecentEvents } from './recent-events';

const events = (start: number, count: number): KeptEvent[] =>
  Array.from({ length: count }, (_, index) => ({ position: String(start + index + 1) }) as KeptEvent);
const sizes = (count: number, size = 100): number[] => Array.from({ length: count }, () => size);
const positions = (found: KeptEvent[] | undefined) => found?.map(({ position }) => Number(position));

describe('recent events', () => {
  test('serve readers inside their range, and none before it or at its end', () => {
    const recent = new RecentEvents();
    recent.add(10, events(10, 3), sizes(3));
    recent.add(13, events(13, 2), sizes(2));
    expect(positions(recent.after(10, 100))).toEqual([11, 12, 13, 14, 15]);
    expect(positions(recent.after(12, 2))).toEqual([13, 14]);
    expect(recent.after(9, 100)).toBeUndefined();
    expect(recent.after(15, 100)).toBeUndefined();
    expect(recent.tip).toBe(15);
  });

  test('start again after another process has written in between', () => {
    const recent = new RecentEvents();
    recent.add(0, events(0, 5), sizes(5));
    recent.add(7, events(7, 1), sizes(1));
    expect(recent.after(3, 10)).toBeUndefined();
    expect(recent.after(5, 10)).toBeUndefined();
    expect(positions(recent.after(7, 10))).toEqual([8]);
  });

  test('drop the oldest when there are too many', () => {
    const recent = new RecentEvents();
    for (let start = 0; start < 20_000; start += 100) recent.add(start, events(start, 100), sizes(100));
    expect(recent.after(20_000 - 8_300, 1)).toBeUndefined();
    expect(positions(recent.after(20_000 - 4_000, 1))).toEqual([16_001]);
    expect(recent.tip).toBe(20_000);
  });

  test('drop the oldest when they are too large, including a single event that is too large', () => {
    const recent = new RecentEvents();
    for (let start = 0; start < 20; start += 1) recent.add(start, events(start, 1), [1_000_000]);
    expect(recent.after(11, 1)).toBeUndefined();
    expect(positions(recent.after(18, 5))).toEqual([19, 20]);
    recent.add(20, events(20, 1), [50_000_000]);
    expect(recent.after(20, 1)).toBeUndefined();
    recent.add(21, events(21, 1), [10]);
    expect(positions(recent.after(21, 1))).toEqual([22]);
  });
});
