import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedEvent } from '@quarterdeck/events';
import { EventQueue } from './event-queue';
import { KeyFilter } from './key-filter';
import { Progress } from './progress';
import { RowCache } from './row-cache';

const event = (position: string) => ({ position }) as RecordedEvent;
const row = { workspace: 'w', position: '1', view: {} };

describe('rows kept in memory', () => {
  test('drops the oldest first, refreshes a row when it is read, and remembers absent rows too', () => {
    const cache = new RowCache(2);
    cache.set('p', 'a', row);
    cache.set('p', 'b', null);
    cache.known('p', 'a');
    cache.set('p', 'c', row);
    cache.trim();
    expect(['a', 'b', 'c'].map((key) => cache.known('p', key))).toEqual([row, undefined, row]);
    expect(cache.known('q', 'a')).toBeUndefined();
  });
});

describe('keys that may be stored', () => {
  test('are never forgotten, and rarely reported in error', () => {
    const filter = new KeyFilter();
    for (let n = 0; n < 200_000; n += 1) filter.add(`0193f0a0-0000-7000-8000-${n}`);
    let missed = 0;
    let suspected = 0;
    for (let n = 0; n < 200_000; n += 1) {
      if (!filter.mayHave(`0193f0a0-0000-7000-8000-${n}`)) missed += 1;
      if (filter.mayHave(String(n))) suspected += 1;
    }
    expect(missed).toBe(0);
    expect(suspected).toBeLessThan(2_000);
  });
});

describe('the queue between reader and writer', () => {
  test('hands over everything at once, and makes a reader wait that is too far ahead', async () => {
    const queue = new EventQueue(3);
    expect(queue.push([event('1')])).toBeUndefined();
    let through = false;
    const second = Promise.resolve(queue.push([event('2'), event('3')])).then(() => (through = true));
    await pause(5);
    expect(through).toBe(false);
    expect((await queue.take())?.map(({ position }) => position)).toEqual(['1', '2', '3']);
    await second;
    const waiting = queue.take();
    queue.end();
    expect(await waiting).toBeUndefined();
    expect(queue.push([event('4')])).toBeUndefined();
  });
});

test('the queue hands over at most 1,000 events, in order, and lets a reader go on when there is room', async () => {
  const all = Array.from({ length: 2_500 }, (_, at) => event(String(at)));
  const queue = new EventQueue(2_000);
  let through = false;
  const pushed = Promise.resolve(queue.push(all)).then(() => (through = true));
  const taken = [await queue.take(), await queue.take(), await queue.take()];
  expect(taken.map((some) => some?.length)).toEqual([1_000, 1_000, 500]);
  expect(taken.flat()).toEqual(all);
  await pushed;
  expect(through).toBe(true);
});

describe('progress', () => {
  test('answers those whose position is reached, and notifies listeners once', async () => {
    const faults: unknown[] = [];
    const progress = new Progress((error) => void faults.push(error));
    const heard: string[] = [];
    progress.listen(() => {
      throw new Error('a listener broke');
    });
    const stop = progress.listen(
      (position, events) => void heard.push(`${position}:${events?.length ?? '-'}`),
    );
    const waits = [progress.waitFor('9', 5_000), progress.waitFor('10', 5_000), progress.waitFor('11', 20)];
    progress.advance('10', [event('10')]);
    progress.advance('9');
    expect(await Promise.all(waits)).toEqual([true, true, false]);
    stop();
    progress.advance('12');
    expect([heard, faults.length, progress.position]).toEqual([['10:1'], 2, '12']);
  });

  test('goes back if the tables did, and leaves nobody waiting for ever', async () => {
    const progress = new Progress(() => undefined);
    progress.advance('100');
    progress.correct('90');
    expect(progress.position).toBe('90');
    const wait = progress.waitFor('100', 60_000);
    progress.close();
    expect(await wait).toBe(false);
  });
});
