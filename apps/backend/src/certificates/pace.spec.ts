// covers: DOM-09
import { setTimeout as sleep } from 'node:timers/promises';
import { paced } from './pace';

const signal = new AbortController().signal;
const items = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const PAUSE_MS = 100;
/** A timer counts from when the event loop last looked at the clock, which is earlier on a busy machine. */
const LEAST_MS = PAUSE_MS / 2;

const gapsOf = (instants: readonly number[]): number[] =>
  instants.slice(1).map((at, index) => at - (instants[index] ?? 0));

describe('the pause', () => {
  it('is between the beginnings of two turns, whatever number runs at once', async () => {
    const began: number[] = [];
    await paced(items(6), { pauseMs: PAUSE_MS, atOnce: 3, signal }, async (_, turn) => {
      await turn();
      began.push(performance.now());
      await sleep(2.5 * PAUSE_MS);
    });
    expect(began).toHaveLength(6);
    expect(Math.min(...gapsOf(began))).toBeGreaterThan(LEAST_MS);
  });

  it('is between the end of one and the beginning of the next if they run one at a time', async () => {
    const [began, ended]: number[][] = [[], []];
    await paced(items(3), { pauseMs: PAUSE_MS, atOnce: 1, signal }, async (_, turn) => {
      await turn();
      began?.push(performance.now());
      await sleep(20);
      ended?.push(performance.now());
    });
    expect((began?.[1] ?? 0) - (ended?.[0] ?? 0)).toBeGreaterThan(LEAST_MS);
    expect((began?.[2] ?? 0) - (ended?.[1] ?? 0)).toBeGreaterThan(LEAST_MS);
  });

  it('does not delay the first turn, and is skipped for work that turns out to be unnecessary', async () => {
    const turns: number[] = [];
    const hour = 3_600_000;
    await paced(items(100), { pauseMs: hour, atOnce: 1, signal }, async (item, turn) => {
      if (item !== 70) return;
      await turn();
      turns.push(item);
    });
    expect(turns).toEqual([70]);
  });
});

describe('the work', () => {
  it('runs once for each item, in order, with exactly the allowed concurrency', async () => {
    let [now, most] = [0, 0];
    const done: number[] = [];
    await paced(items(200), { pauseMs: 0, atOnce: 7, signal }, async (item, turn) => {
      await turn();
      done.push(item);
      most = Math.max(most, (now += 1));
      await sleep(1);
      now -= 1;
    });
    expect(done).toEqual(items(200));
    expect([now, most]).toEqual([0, 7]);
  });

  it('ends after a failure, once running work has ended, with the first failure', async () => {
    const [begun, ended]: number[][] = [[], []];
    const work = paced(items(50), { pauseMs: 0, atOnce: 4, signal }, async (item, turn) => {
      await turn();
      begun?.push(item);
      await sleep(item === 2 ? 5 : 40);
      if (item === 2) throw new Error('the database is gone');
      ended?.push(item);
    });
    await expect(work).rejects.toThrow('the database is gone');
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(ended).toEqual([0, 1, 3]);
  });

  it('ends with the reason when it is aborted, even during a pause', async () => {
    const stop = new AbortController();
    const begun: number[] = [];
    const work = paced(
      items(5),
      { pauseMs: 3_600_000, atOnce: 2, signal: stop.signal },
      async (item, turn) => {
        await turn();
        begun.push(item);
        stop.abort(new Error('an operator stopped it'));
      },
    );
    await expect(work).rejects.toThrow('an operator stopped it');
    expect(begun).toEqual([0]);
  });

  it('does not begin if it was aborted before, and accepts an empty list', async () => {
    const begun: number[] = [];
    const work = async (item: number): Promise<void> => void begun.push(item);
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(paced(items(3), { pauseMs: 0, atOnce: 2, signal: stopped }, work)).rejects.toThrow(
      'stopped',
    );
    await paced([], { pauseMs: 0, atOnce: 2, signal }, work);
    expect(begun).toEqual([]);
  });
});
