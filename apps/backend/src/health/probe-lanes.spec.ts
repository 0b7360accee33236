// covers: SRV-16
import { defaultPoolSettings } from '../platform/ssh/pool-settings';
import { laneSizes, ProbeLanes } from './probe-lanes';

/** Work that ends on demand. */
const work = () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const job = { begun: false, end: () => end(), run: async () => ((job.begun = true), ended) };
  return job;
};
const turn = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await turn(1);
};

describe('the lanes of probes', () => {
  it('leave places of the SSH pool to operators', () => {
    expect(laneSizes.quick + laneSizes.patient).toBeLessThan(defaultPoolSettings.maxConnecting);
  });

  it('admit no more than there are places, and the next one when one ends', async () => {
    const lanes = new ProbeLanes({ quick: 2, patient: 1, quickMs: 60_000 });
    const jobs = [work(), work(), work()];
    const all = jobs.map((job) => lanes.run(true, job.run));
    await turn();
    expect(jobs.map(({ begun }) => begun)).toEqual([true, true, false]);
    jobs[0]?.end();
    await until(() => jobs[2]?.begun === true);
    for (const job of jobs) job.end();
    expect(await Promise.all(all)).toEqual([true, true, true]);
  });

  it('do not let slow servers delay the others', async () => {
    const lanes = new ProbeLanes({ quick: 1, patient: 1, quickMs: 60_000 });
    const slow = [work(), work(), work()];
    const waiting = slow.map((job) => lanes.run(false, job.run));
    const quick = work();
    quick.end();
    expect(await lanes.run(true, quick.run)).toBe(true);
    for (const job of slow) job.end();
    await Promise.all(waiting);
  });

  it("move a server that becomes slow out of the others' way", async () => {
    const lanes = new ProbeLanes({ quick: 1, patient: 1, quickMs: 20 });
    const stuck = work();
    const waiting = lanes.run(true, stuck.run);
    const next = work();
    next.end();
    await lanes.run(true, next.run);
    expect(next.begun).toBe(true);
    stuck.end();
    expect(await waiting).toBe(false);
  });

  it('free the place when the work fails', async () => {
    const lanes = new ProbeLanes({ quick: 1, patient: 1, quickMs: 60_000 });
    const failing = () => Promise.reject(new Error('no'));
    for (let time = 0; time < 3; time += 1) await expect(lanes.run(true, failing)).rejects.toThrow('no');
  });
});
