/**
 * What happens between the request to end and the end of listening. Readiness says that no more calls should come, which
 * load balancers notice at their next look. Until then calls are still taken, but each answer closes its connection, so
 * that the next call goes elsewhere. The sockets are asked to leave when balancers have had time to notice.
 */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from './readiness';

const STEP_MS = 50;

interface Served {
  server: Pick<Server, 'getConnections'>;
  readiness: Readiness;
  /** Asks all sockets to connect again, elsewhere. */
  dismiss(): void;
}

const connectionsOf = (server: Served['server']): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));

/** @param signal ends it early. It also ends if nobody is connected and no balancer looks. */
export const drain = async (
  { server, readiness, dismiss }: Served,
  ms: number,
  signal: AbortSignal,
): Promise<void> => {
  readiness.draining = true;
  const began = performance.now();
  let isDismissed = false;
  for (;;) {
    const passed = performance.now() - began;
    if (passed >= ms || signal.aborted) return;
    if (!readiness.isWatched() && (await connectionsOf(server)) === 0) return;
    if (!isDismissed && passed >= ms / 2) {
      isDismissed = true;
      dismiss();
    }
    await sleep(STEP_MS, undefined, { signal }).catch(() => undefined);
  }
};
