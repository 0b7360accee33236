/**
 * Reports how long something held the main thread, so that no call was served, and the calls that were under way.
 * One of them held it, or else background work did. What holds it without end is reported by a thread beside it.
 */
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { threadFile, type Question } from '../threads';
import type { Logger } from '../tokens';
import { watchMainThreadFromOutside, type Watching } from './watchdog.jobs';
import { sharedMemory, Shown } from './watched';

const BEAT_MS = 250;
const HELD_MS = 1000;
/** Calls in one line of the log. */
const MAX_CALLS = 10;
const FROM_OUTSIDE = { tellAfter: 10, endAfter: 120 };

export interface WatchdogOptions {
  logger: Pick<Logger, 'warn'>;
  /** Told of each hold, for the metric. */
  onHeld: (seconds: number) => void;
  /** Seconds until the thread beside this one says something, and until it ends the process. */
  fromOutside?: { tellAfter: number; endAfter: number };
}

interface UnderWay {
  began: number;
  hide: () => void;
}

export const watchMainThread = (
  fastify: FastifyInstance,
  { logger, onHeld, fromOutside = FROM_OUTSIDE }: WatchdogOptions,
): void => {
  const memory = sharedMemory();
  const shown = new Shown(memory);
  const { tellAfter, endAfter } = fromOutside;
  // A debugger holds the main thread as long as its user reads.
  const watching: Watching = { memory, tellAfter, endAfter: debuggerUrl() ? undefined : endAfter };
  const outside = new Worker(threadFile, { env: {}, execArgv: [] });
  outside.on('error', (err) => logger.warn({ err }, 'nothing watches the main thread from outside'));
  outside.unref();
  outside.postMessage({ job: watchMainThreadFromOutside.name, input: watching } satisfies Question);

  const underWay = new Map<FastifyRequest, UnderWay>();
  /** Calls that have ended since the last beat: the one that held the thread may be answered before the next. */
  let ended: [FastifyRequest, number][] = [];
  let last = performance.now();
  let spent = process.cpuUsage();

  const beat = (): void => {
    shown.beat();
    const now = performance.now();
    const ms = now - last - BEAT_MS;
    if (ms > HELD_MS) {
      const { user, system } = process.cpuUsage(spent);
      const open = [...underWay].map(([request, { began }]) => [request, began] as const);
      const calls = [...open, ...ended].slice(0, MAX_CALLS).map(([request, began]) => ({
        // The route, not the address, which may contain a secret.
        method: request.method,
        route: request.routeOptions.url,
        workspace: request.session?.workspace,
        correlationId: request.correlationId,
        ms: Math.round(now - began),
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
    const { method, correlationId } = request;
    const hide = shown.begin(`${method} ${request.routeOptions.url ?? 'no route'} ${correlationId}`);
    underWay.set(request, { began: performance.now(), hide });
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    const call = underWay.get(request);
    underWay.delete(request);
    call?.hide();
    if (call) ended.push([request, call.began]);
    done();
  });
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(beating);
    void outside.terminate();
    done();
  });
};
