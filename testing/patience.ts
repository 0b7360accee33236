/** Waiting in tests. Only a hang fails, because a busy machine may take ten times as long as an idle one. */

/** Less than jest's time limit of a test, so that the failure names the condition. */
export const PATIENCE_MS = 500_000;

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/**
 * Polls until a condition holds, at growing intervals unless `everyMs` is given, because each call or query takes
 * processor time from the work that the test waits for. @throws an error that quotes the condition
 */
export const until = async (holds: () => boolean | Promise<boolean>, everyMs?: number): Promise<void> => {
  for (const began = Date.now(); !(await holds());) {
    const waited = Date.now() - began;
    if (waited > PATIENCE_MS) throw new Error(`this did not come true: ${String(holds)}`);
    await pause(everyMs ?? Math.min(Math.max(10, waited / 20), 100));
  }
};
