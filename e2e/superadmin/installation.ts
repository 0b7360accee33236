/** Helpers for superadmins' pages. */
import type { InstallationView, ReadModelsView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { PATIENCE_MS } from '../../testing/patience';

export const readModelsOf = async (who: Operator): Promise<ReadModelsView> =>
  (await who.post<ReadModelsView>('superadmin/projections')).body;
export const overviewOf = async (who: Operator): Promise<InstallationView> =>
  (await who.post<InstallationView>('superadmin/overview')).body;

/** Polls until the condition holds. */
export async function until<T>(look: () => Promise<T>, so: (found: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await new Promise((done) => setTimeout(done, 20))) {
    const found = await look();
    if (so(found)) return found;
    if (Date.now() > deadline) throw new Error(`still not so: ${JSON.stringify(found).slice(0, 2000)}`);
  }
}

/** @returns the outcome as the log names it */
export const endOfMaintenance = async (who: Operator): Promise<string> => {
  await until(
    () => readModelsOf(who),
    ({ current }) => current === undefined,
  );
  // The page reads the last events from the history, which may be behind the end of the work.
  const last = await until(
    async () => (await overviewOf(who)).events[0],
    (event) => event !== undefined && !/Requested$|Started$/.test(event.type),
  );
  return last?.says ?? '';
};

export const start = (who: Operator, kind: 'rebuild' | 'verify', readModel = 'all') =>
  who.post<{ maintenance: string; msg?: string; data?: Record<string, string> }>(
    `superadmin/projections/${kind}`,
    { readModel },
  );
