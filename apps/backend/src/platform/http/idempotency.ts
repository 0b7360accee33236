/**
 * `Idempotency-Key`: repeating a call gets the same answer, and its effect happens once. A repetition during the first
 * call waits for its answer. If that worker dies, another takes over with the same event ids, so that nothing is
 * recorded twice. A repetition that is refused looks for events of the earlier call: if there are some, it is answered as
 * it was then.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { isRead } from '@quarterdeck/contract';
import { Backoff } from '@quarterdeck/events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, type Observable, from } from 'rxjs';
import { v5 as uuidv5 } from 'uuid';
import { callOf } from './call';
import { DomainError, type DomainErrorCode } from '../errors';
import { requestContext } from '../logging';
import { beforeItsEffect, type Instant, Instants } from '../as-of';
import { Receipts, type Receipt, type ReceiptKey, WORKING_MS } from './receipts';
import type { Session } from '../sessions';
import {
  DB,
  EVENT_STORE,
  type EventStore,
  LOGGER,
  type Logger,
  type Pool,
  PROJECTIONS,
  type ProjectionRunner,
} from '../tokens';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NAMESPACE = '6f1d2f0e-5c0a-4c57-9a35-3b7a0c2f8e11';
const WAIT_MS = 30_000;
const RENEW_MS = 2000;
const CATCH_UP_MS = 5000;

/** A call that took effect can be refused for these reasons when it is repeated. */
const refusals: ReadonlySet<DomainErrorCode> = new Set(['invalid', 'notFound', 'conflict', 'unprocessable']);

const keyOf = (header: string | string[], session: Session): ReceiptKey => {
  if (typeof header !== 'string' || !UUID.test(header))
    throw new DomainError('invalid', 'uuid invalid', { 'idempotency-key': 'uuid invalid' });
  return { workspace: session.workspace, actor: session.person, key: header.toLowerCase() };
};

/** The id of the command of a call with this key: the cause of everything that it records. */
export const commandOf = ({ workspace, actor, key }: ReceiptKey): string =>
  uuidv5(`${workspace} ${actor} ${key}`, NAMESPACE);

/** Hash of the raw call, so that no part of it is stored. */
const requestHash = (request: FastifyRequest): Buffer =>
  createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(request.rawBody ?? '')
    .digest();

const kept = ['x-position', 'x-projected'] as const;

/** Correlation of a call that may be repeated, from the id of its command. */
export const correlationOf = (commandId: string): string => uuidv5('request', commandId);

@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly receipts: Receipts;

  constructor(
    @Inject(DB) pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly instants: Instants,
  ) {
    this.receipts = new Receipts(pool);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const header = request.headers['idempotency-key'];
    const call = callOf(context);
    if (header === undefined || !request.session || !call) return next.handle();
    if (isRead(call)) return next.handle();
    const key = keyOf(header, request.session);
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    request.commandId = commandOf(key);
    // The events of an earlier call are found by it.
    request.correlationId = correlationOf(request.commandId);
    Object.assign(requestContext.getStore() ?? {}, { correlationId: request.correlationId });
    void reply.header('x-correlation-id', request.correlationId);
    if (call.receipt === false) return from(this.answer(request, next));
    return from(this.once(key, request, reply, next));
  }

  /** Answers the call, and answers it again as it was before its effect if it refuses what it has done already. */
  private async answer({ session, correlationId }: FastifyRequest, next: CallHandler): Promise<unknown> {
    const handle = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    try {
      return await handle();
    } catch (error) {
      if (!(error instanceof DomainError) || !refusals.has(error.code)) throw error;
      const before = await this.before(correlationId, session?.workspace ?? '');
      if (!before) throw error;
      return beforeItsEffect.run(before, handle).catch(() => {
        throw error;
      });
    }
  }

  /** The instant before the first event of an earlier call with this key. */
  private async before(correlationId: string, workspace: string): Promise<Instant | undefined> {
    try {
      await this.projections.waitFor(await this.store.head(), CATCH_UP_MS);
      return await this.instants.before(correlationId, workspace);
    } catch (error) {
      this.logger.warn({ err: error }, 'the effect of an earlier call could not be looked up');
      return undefined;
    }
  }

  private async once(
    key: ReceiptKey,
    request: FastifyRequest,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<unknown> {
    const hash = requestHash(request);
    const worker = randomUUID();
    const began = performance.now();
    let seen = { mark: '', since: began };
    let dead: string | undefined;
    for (const backoff = new Backoff(10, 250); ; await backoff.pause()) {
      if (await this.receipts.begin(key, hash, worker, dead))
        return this.work(key, worker, request, reply, next);
      const receipt = await this.receipts.read(key);
      if (receipt && !receipt.request.equals(hash))
        throw new DomainError('unprocessable', 'this Idempotency-Key was used for another call');
      if (receipt?.status) return replay(receipt, reply);
      const now = performance.now();
      if (receipt && receipt.mark !== seen.mark) seen = { mark: receipt.mark, since: now };
      dead = now - seen.since > WORKING_MS ? seen.mark : undefined;
      if (now - began > WAIT_MS)
        throw new DomainError('unavailable', 'this call is still in progress', undefined, {
          retryAfter: 5,
        });
    }
  }

  private async work(
    key: ReceiptKey,
    worker: string,
    request: FastifyRequest,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<unknown> {
    const renewing = setInterval(() => {
      this.receipts.renew(key, worker).catch((error: unknown) => this.logger.warn({ err: error }, 'receipt'));
    }, RENEW_MS);
    try {
      const answer = await this.answer(request, next);
      const headers = Object.fromEntries(kept.flatMap((name) => [[name, reply.getHeader(name)]]));
      await this.receipts.finish(key, worker, { status: reply.statusCode, answer, headers });
      return answer;
    } catch (error) {
      // A failure has no answer worth storing: the same call may succeed later, with the same event ids.
      await this.receipts
        .forget(key, worker)
        .catch((fault: unknown) => this.logger.warn({ err: fault }, 'receipt'));
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }
}

const replay = (receipt: Receipt, reply: FastifyReply): unknown => {
  for (const [name, value] of Object.entries(receipt.headers ?? {})) void reply.header(name, value);
  if (receipt.status) void reply.code(receipt.status);
  return receipt.answer ?? undefined;
};
