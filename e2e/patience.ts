/** How tests wait. Only what hangs fails: a busy machine may take ten times as long as an idle one. */

/** Less than jest's limit of a test, so that the failure names what did not happen. */
export const PATIENCE_MS = 500_000;

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Polls until it holds. @throws an error that quotes the condition */
export const until = async (holds: () => boolean | Promise<boolean>, everyMs = 10): Promise<void> => {
  for (const began = Date.now(); !(await holds()); await pause(everyMs))
    if (Date.now() - began > PATIENCE_MS) throw new Error(`this did not come true: ${String(holds)}`);
};
