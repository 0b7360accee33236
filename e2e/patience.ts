/** How tests wait. Only what hangs fails: a busy machine may take ten times as long as an idle one. */

/** Less than jest's limit of a test, so that the failure names what did not happen. */
export const PATIENCE_MS = 500_000;

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/**
 * Polls until it holds: ever more seldom unless told, because a look by a call or a query takes processor time from what
 * is waited for. @throws an error that quotes the condition
 */
export const until = async (holds: () => boolean | Promise<boolean>, everyMs?: number): Promise<void> => {
  for (const began = Date.now(); !(await holds());) {
    const waited = Date.now() - began;
    if (waited > PATIENCE_MS) throw new Error(`this did not come true: ${String(holds)}`);
    await pause(everyMs ?? Math.min(Math.max(10, waited / 20), 100));
  }
};
