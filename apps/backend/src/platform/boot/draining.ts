/**
 * What happens between the request to end and the end of listening. Readiness says that no more calls should come, which
 * load balancers notice at their next look. Until then calls are still taken, but each answer closes its connection, so
 * that the next call goes elsewhere. The sockets are asked to leave when balancers have had time to notice.
 */
import type { Server } from 'node:http';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from './readiness';

const STEP_MS = 50;
/** Some balancers never look. Nobody sends calls here any more if none came for so long. */
const QUIET_MS = 500;
/** After listening has ended: for the answers that are under way. */
const LAST_ANSWERS_MS = 1000;

/** A turn of the event loop that is over so quickly, and in which nobody came, leaves next to no time for another one. */
const SHORT_TURN_MS = 0.2;
/** If there is no such turn. */
const CLOSE_WITHIN_MS = 1000;

export interface Served {
  server: Pick<Server, 'getConnections' | 'close'>;
  /** When the last connection came, as `performance.now()`. */
  lastCame(): number;
  readiness: Readiness;
  /** Asks all sockets to connect again, elsewhere. */
  dismiss(): void;
}

const connectionsOf = (server: Served['server']): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));

/** @returns when the last connection came, as `performance.now()` */
export const watchArrivals = (server: Server): (() => number) => {
  let last = -Infinity;
  server.on('connection', () => {
    last = performance.now();
  });
  return () => last;
};

const quietTurn = async (server: Server): Promise<void> => {
  let came = false;
  const onConnection = (): void => void (came = true);
  server.on('connection', onConnection);
  // This turn may have taken its connections already.
  await immediate();
  const began = performance.now();
  for (let turn = began; turn < began + CLOSE_WITHIN_MS; turn = performance.now()) {
    came = false;
    await immediate();
    if (!came && performance.now() - turn < SHORT_TURN_MS) break;
  }
  server.off('connection', onConnection);
};

/**
 * Makes a server stop listening right after it has taken all connections that wait: the operating system resets those
 * that it has accepted for us and that nobody took. It may be closed more than once.
 */
export const closeGracefully = (server: Server): void => {
  const close = server.close.bind(server);
  let closed: Promise<void> | undefined;
  server.close = (done) => {
    closed ??= quietTurn(server).then(() => new Promise((resolve) => void close(() => resolve())));
    void closed.then(() => done?.());
    return server;
  };
};

/**
 * Ends with the end of listening.
 *
 * @param signal ends it early. It also ends if nobody is connected, no connection came lately, and no balancer looks.
 */
export const drain = async (
  { server, lastCame, readiness, dismiss }: Served,
  ms: number,
  signal: AbortSignal,
): Promise<void> => {
  readiness.draining = true;
  const began = performance.now();
  const passed = (): number => performance.now() - began;
  const step = (): Promise<void> => sleep(STEP_MS, undefined, { signal }).catch(() => undefined);
  const isQuiet = async (): Promise<boolean> =>
    !readiness.isWatched() &&
    performance.now() - lastCame() >= QUIET_MS &&
    (await connectionsOf(server)) === 0;
  let isDismissed = false;
  while (passed() < ms && !signal.aborted && !(await isQuiet())) {
    if (!isDismissed && passed() >= ms / 2) {
      isDismissed = true;
      dismiss();
    }
    await step();
  }
  if (ms === 0) return;
  server.close();
  while (passed() < ms + LAST_ANSWERS_MS && !signal.aborted && (await connectionsOf(server)) > 0)
    await step();
};
