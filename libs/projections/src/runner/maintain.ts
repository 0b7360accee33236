/** Does requested maintenance: it begins, runs and reports under the lock, so that it happens only once. */
import type pg from 'pg';
import type { EventStore } from '@quarterdeck/log/store';
import type { AnyProjection } from '../define-projection';
import type { MaintenanceKind, MaintenanceProgress } from '../superadmin';
import { describeError } from './fold';
import { Pace, underMaintenanceLock } from './maintenance-lock';
import { rebuildUnderLock, withUnbuilt, type RebuildResult } from './rebuild';
import { verify, type VerifyResult } from './verify';

export interface MaintenanceOrder {
  kind: MaintenanceKind;
  projections: AnyProjection[];
}

export type MaintenanceOutcome =
  | { state: 'finished'; kind: 'rebuild'; result: RebuildResult }
  | { state: 'finished'; kind: 'verify'; result: VerifyResult[]; events: number; durationMs: number }
  | { state: 'cancelled' }
  | { state: 'failed'; reason: string };

export interface MaintenanceBook {
  /** Called when nobody else can begin. Returns what to do; undefined if nothing is left to do. */
  begin(): Promise<MaintenanceOrder | undefined>;
  /**
   * Called before anybody else can begin. Not called if the process has to stop in the middle: the request stays open.
   */
  end(outcome: MaintenanceOutcome): Promise<void>;
  /** Called for each page of events. */
  onProgress?: (progress: MaintenanceProgress) => void;
}

export interface MaintainOptions {
  connectionString: string;
  store: EventStore;
  /** All read models of this program. */
  projections: readonly AnyProjection[];
  book: MaintenanceBook;
  /** Aborted if somebody cancels the maintenance. */
  cancel: AbortSignal;
  /** Aborted if the process stops. */
  stop: AbortSignal;
}

const REFUSAL = 'maintenance of the read models is already under way; wait for it to end';

/** @returns undefined if there was nothing to do, or no time to finish it. @throws RebuildRefused */
export const maintain = (options: MaintainOptions): Promise<MaintenanceOutcome | undefined> =>
  underMaintenanceLock(options.connectionString, REFUSAL, async (client) => {
    const order = await options.book.begin();
    if (!order) return undefined;
    // If the connection is lost, so is the lock, and somebody else may have begun. The request then stays open too.
    let lost = false;
    client.once('end', () => (lost = true));
    // Ends the connection, so that a slow statement does not keep the process from stopping.
    const leave = (): void => void client.end().catch(() => undefined);
    options.stop.addEventListener('abort', leave, { once: true });
    const outcome = await perform(client, order, options);
    options.stop.removeEventListener('abort', leave);
    if (!outcome || lost) return undefined;
    await options.book.end(outcome);
    return outcome;
  });

async function perform(
  client: pg.Client,
  { kind, projections }: MaintenanceOrder,
  { connectionString, store, projections: all, book: { onProgress }, cancel, stop }: MaintainOptions,
): Promise<MaintenanceOutcome | undefined> {
  const signal = AbortSignal.any([cancel, stop]);
  try {
    if (kind === 'rebuild') {
      const choose = () => withUnbuilt(client, projections, all);
      const rebuild = { connectionString, store, choose, signal, ...(onProgress ? { onProgress } : {}) };
      const result = await rebuildUnderLock(client, rebuild);
      return { state: 'finished', kind, result };
    }
    const of = { kind, projections: projections.map(({ name }) => name), store };
    const pace = new Pace((...write) => client.query(...write), of, onProgress);
    await pace.tell('folding', '0', await store.head(), true);
    const result = await verify({
      connectionString,
      store,
      projections,
      signal,
      onPage: async (events, position, goal) => {
        pace.folded(events);
        await pace.tell(position === goal ? 'comparing' : 'folding', position, goal, position === goal);
      },
    });
    return { state: 'finished', kind, result, events: pace.events, durationMs: pace.elapsedMs };
  } catch (error) {
    // The order matters: a stopping process leaves the request to the next one, even if it was to be cancelled.
    if (stop.aborted) return undefined;
    if (cancel.aborted) return { state: 'cancelled' };
    return { state: 'failed', reason: describeError(error) };
  }
}
