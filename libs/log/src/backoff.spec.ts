import { Backoff, keepUp, rest } from './backoff';

test('pauses double up to the longest, vary by a quarter, and are short again after a success', () => {
  const backoff = new Backoff(100, 400);
  const near = (ms: number, wanted: number): void => {
    expect(ms).toBeGreaterThanOrEqual(wanted * 0.75);
    expect(ms).toBeLessThanOrEqual(wanted * 1.25);
  };
  for (const wanted of [100, 200, 400, 400]) near(backoff.next(), wanted);
  backoff.reset();
  near(backoff.next(), 100);
  expect(new Set(Array.from({ length: 20 }, () => new Backoff(1000, 1000).next())).size).toBeGreaterThan(1);
});

test('an abort ends a pause at once, and leaves no listener on the signal', async () => {
  const hour = 3_600_000;
  const stop = new AbortController();
  const { signal } = stop;
  let listening = 0;
  const counted = (add: number, method: 'addEventListener' | 'removeEventListener') => {
    const original = signal[method].bind(signal);
    signal[method] = (...args: Parameters<AbortSignal['addEventListener']>) => {
      listening += add;
      original(...args);
    };
  };
  counted(1, 'addEventListener');
  counted(-1, 'removeEventListener');
  await rest(1, signal);
  expect(listening).toBe(0);
  const pause = new Backoff(hour, hour).pause(signal);
  stop.abort();
  await pause;
  await rest(hour, signal);
  expect(listening).toBe(0);
});

test('work is started again after an error and after its end, until the signal aborts', async () => {
  const stop = new AbortController();
  const faults: unknown[] = [];
  let starts = 0;
  const work = async (works: () => void): Promise<void> => {
    works();
    starts += 1;
    if (starts === 1) throw new Error('broken');
    if (starts === 3) stop.abort();
    if (starts === 3) throw new Error('ended by the abort');
  };
  await keepUp(stop.signal, work, (error) => faults.push((error as Error).message));
  expect(starts).toBe(3);
  expect(faults).toEqual(['broken']);
});
