import { StoreUnavailable } from '@quarterdeck/log/store';
import { retrying } from './retrying';

const outage = new StoreUnavailable('no log');
const any = { passes: () => true };

/** Fails with each of the faults, and succeeds then. */
const failing = (...faults: Error[]) => {
  let attempts = 0;
  return {
    work: async (): Promise<string> => {
      attempts += 1;
      const fault = faults.shift();
      if (fault) throw fault;
      return 'done';
    },
    attempts: () => attempts,
  };
};

test('waits out outages, and reports each', async () => {
  const { work, attempts } = failing(outage, outage);
  const faults: unknown[] = [];
  await expect(retrying(work, { onFault: (error) => void faults.push(error) })).resolves.toBe('done');
  expect([attempts(), faults]).toEqual([3, [outage, outage]]);
});

test('throws at once what does not pass', async () => {
  const refusal = new Error('refused');
  const { work, attempts } = failing(refusal);
  await expect(retrying(work)).rejects.toBe(refusal);
  expect(attempts()).toBe(1);
});

test.each([TypeError, ReferenceError, RangeError, SyntaxError])(
  'throws a %s at once, even where every failure passes',
  async (Mistake) => {
    const mistake = new Mistake('ours');
    const { work, attempts } = failing(mistake);
    await expect(retrying(work, any)).rejects.toBe(mistake);
    expect(attempts()).toBe(1);
  },
);

test('waits out a connection that fetch could not make', async () => {
  const { work } = failing(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
  await expect(retrying(work, any)).resolves.toBe('done');
});

test('gives up after its patience, with the last failure', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const last = new Error('the third');
  const { work, attempts } = failing(outage, outage, last, outage);
  const slow = (): Promise<string> => {
    now += 600;
    return work();
  };
  await expect(retrying(slow, { ...any, patienceMs: 1000 })).rejects.toBe(last);
  expect(attempts()).toBe(3);
  clock.mockRestore();
});

test('makes the first attempt although the signal has aborted, and no second one', async () => {
  const { work, attempts } = failing(outage);
  await expect(retrying(work, { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(
    'stopped',
  );
  expect(attempts()).toBe(1);
});
