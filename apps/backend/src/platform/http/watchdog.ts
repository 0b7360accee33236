/**
 * Reports how long something held the main thread, so that no call was served, and the calls that were under way.
 * One of them held it, or else background work did.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../tokens';

const BEAT_MS = 250;
const HELD_MS = 1000;
/** Calls in one line of the log. */
const MAX_CALLS = 10;

export interface WatchdogOptions {
  logger: Pick<Logger, 'warn'>;
  /** Told of each hold, for the metric. */
  onHeld: (seconds: number) => void;
}

export const watchMainThread = (fastify: FastifyInstance, { logger, onHeld }: WatchdogOptions): void => {
  const underWay = new Map<FastifyRequest, number>();
  /** Calls that have ended since the last beat: the one that held the thread may be answered before the next. */
  let ended: [FastifyRequest, number][] = [];
  let last = performance.now();
  let spent = process.cpuUsage();

  const beat = (): void => {
    const now = performance.now();
    const ms = now - last - BEAT_MS;
    if (ms > HELD_MS) {
      const { user, system } = process.cpuUsage(spent);
      const calls = [...underWay, ...ended].slice(0, MAX_CALLS).map(([request, began]) => ({
        // The route, not the address, which may contain a secret.
        ...{ method: request.method, route: request.routeOptions.url, workspace: request.session?.workspace },
        ...{ correlationId: request.correlationId, ms: Math.round(now - began) },
      }));
      const processorMs = Math.round((user + system) / 1000);
      logger.warn({ ms: Math.round(ms), processorMs, calls }, 'the main thread was held, nobody was served');
      onHeld(ms / 1000);
    }
    ended = [];
    last = now;
    spent = process.cpuUsage();
  };
  const beating = setInterval(beat, BEAT_MS).unref();

  fastify.addHook('onRequest', (request, _reply, done) => {
    underWay.set(request, performance.now());
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    const began = underWay.get(request);
    underWay.delete(request);
    if (began !== undefined) ended.push([request, began]);
    done();
  });
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(beating);
    done();
  });
};
