/**
 * Calls that cost much take turns within their workspace: a few are under way, some wait, and more are refused. Each kind
 * has turns of its own: a database that does not answer must not hold up a search in the history.
 */
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { callOf } from './call';
import { DomainError, tooBusy } from '../errors';

export interface TurnLimits {
  /** Calls of one workspace that are under way at once. */
  running: number;
  /** Calls of one workspace that wait. A page that many people have open is fetched by all of them at once. */
  waiting: number;
}

export const TURNS: TurnLimits = { running: 4, waiting: 60 };

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

export class Turns {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly limits: TurnLimits = TURNS) {}

  /**
   * @param gone the caller does not wait any more
   * @returns ends the turn
   * @throws DomainError `tooMany`
   */
  async take(owner: string, gone: AbortSignal): Promise<() => void> {
    const line = this.lines.get(owner) ?? { running: 0, waiting: new Set() };
    this.lines.set(owner, line);
    if (line.running < this.limits.running) line.running += 1;
    else if (line.waiting.size >= this.limits.waiting) throw tooBusy();
    else await this.wait(line, gone);
    return () => this.end(owner, line);
  }

  private wait({ waiting }: Line, gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        gone.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(begin);
        reject(new DomainError('unavailable', 'the caller has gone'));
      };
      waiting.add(begin);
      gone.addEventListener('abort', leave);
    });
  }

  /** The turn goes to the caller that has waited the longest. */
  private end(owner: string, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.lines.delete(owner);
  }
}

@Injectable()
export class CostlyCalls implements NestInterceptor {
  private readonly turns = new Turns();

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const costs = callOf(context)?.costs;
    const http = context.switchToHttp();
    const session = costs && http.getRequest<FastifyRequest>().session;
    if (!session) return next.handle();
    const { raw } = http.getResponse<FastifyReply>();
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) => raw.once('close', resolve));
    void closed.then(() => gone.abort());
    const end = await this.turns.take(`${costs} ${session.workspace}`, gone.signal);
    // A caller may leave before the work ends, and a file is sent after its method has answered.
    return next.handle().pipe(finalize(() => void closed.then(end)));
  }
}
