import { StoreUnavailable } from '@quarterdeck/log/store';
import { DomainError } from '../platform/errors';
import { patiently } from './ssl-patience';

const go = new AbortController().signal;

describe('a temporary write failure', () => {
  it('is retried until it succeeds, whichever store was down', async () => {
    const faults = [
      new Error('terminating connection'),
      new StoreUnavailable('no log'),
      new DomainError('unavailable', 'too many at once'),
    ];
    const write = async (): Promise<string> => {
      const fault = faults.shift();
      if (fault) throw fault;
      return 'written';
    };
    expect(await patiently(go, write)).toBe('written');
    expect(faults).toEqual([]);
  });

  it('is retried even after hours without failures', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const faults = [new Error('terminating connection')];
    const follow = async (): Promise<string> => {
      now += 3_600_000;
      const fault = faults.shift();
      if (fault) throw fault;
      return 'ended';
    };
    await expect(patiently(go, follow)).resolves.toBe('ended');
    clock.mockRestore();
  });

  it('is thrown at once if waiting cannot help', async () => {
    let tries = 0;
    const write = async (): Promise<never> => {
      tries += 1;
      throw new DomainError('notFound', 'domain could not be found');
    };
    await expect(patiently(go, write)).rejects.toThrow('domain could not be found');
    expect(tries).toBe(1);
  });

  it('does not keep a cancelled run from writing how it ended', async () => {
    const cancelled = AbortSignal.abort(new Error('cancelled'));
    await expect(patiently(cancelled, () => Promise.resolve('written'))).resolves.toBe('written');
  });

  it('is not retried if the run is to end', async () => {
    const stop = new AbortController();
    const write = async (): Promise<never> => {
      stop.abort(new Error('cancelled'));
      throw new Error('terminating connection');
    };
    await expect(patiently(stop.signal, write)).rejects.toThrow('cancelled');
  });
});
