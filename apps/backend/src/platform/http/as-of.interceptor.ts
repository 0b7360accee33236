/** `X-At: <instant or position>` on a call: the answer is the one that the call would have had then. */
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, mergeMap, Observable } from 'rxjs';
import { callOf } from './call';
import { invalidField } from '../errors';
import { askedInstant, Instants } from '../as-of';

const AT_HEADER = 'x-at';

@Injectable()
export class AsOfInterceptor implements NestInterceptor {
  constructor(private readonly instants: Instants) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const { headers, session } = context.switchToHttp().getRequest<FastifyRequest>();
    const at = headers[AT_HEADER];
    if (at === undefined) return next.handle();
    if (!callOf(context)?.asOf || !session)
      throw invalidField(
        'at',
        'this call only works in the present: leave out X-At; the past cannot be changed',
      );
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return from(this.instants.resolve(String(at), session.workspace)).pipe(
      mergeMap((instant) => {
        void reply.header('x-position', instant.position).header(AT_HEADER, instant.at);
        return new Observable((answers) => askedInstant.run(instant, () => next.handle().subscribe(answers)));
      }),
    );
  }
}
