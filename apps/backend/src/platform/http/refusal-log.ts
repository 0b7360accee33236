/** Logs calls that were refused, with the reason. Each address has a number of lines per minute, and then one with the rest. */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { callerAddress, limitedAs } from '../caller-address';
import type { DomainError } from '../errors';
import { LOGGER, type Logger } from '../tokens';

const LINES = 20;
const WINDOW_MS = 60_000;
const logged = new Set([401, 403, 429]);

interface Window {
  until: number;
  refusals: number;
}

@Injectable()
export class RefusalLog {
  private readonly windows = new LRUCache<string, Window>({ max: 10_000 });

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  note(request: FastifyRequest, status: number, { msg, detail, cause }: Partial<DomainError>): void {
    if (!logged.has(status)) return;
    const address = callerAddress(request);
    if (!this.hasRoom(address, Date.now())) return;
    const why = cause instanceof Error ? cause.message : msg;
    const { method, routeOptions } = request;
    const call = { method, route: routeOptions.url, status, address, why, reason: detail?.code };
    this.logger.info(call, 'a call was refused');
  }

  private hasRoom(address: string, now: number): boolean {
    const key = limitedAs(address);
    const window = this.windows.get(key);
    if (window && window.until > now) return (window.refusals += 1) <= LINES;
    const more = (window?.refusals ?? 0) - LINES;
    if (more > 0) this.logger.info({ address, more }, 'more calls were refused');
    this.windows.set(key, { until: now + WINDOW_MS, refusals: 1 });
    return true;
  }
}
