/** Turns every failure of a call into an answer: one filter, so that all routes share one shape. */
import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import {
  EventIdTaken,
  LogDamaged,
  LogForbidden,
  StoreUnavailable,
  StreamCut,
  StreamDeleted,
  WrongExpectedRevision,
} from '@quarterdeck/log/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseOutage, type Room, sqlClassOf } from '../database';
import { DomainError, statusOf } from '../errors';
import { RefusalLog } from './refusal-log';
import { LOGGER, ROOMS, type Logger } from '../tokens';

export interface ErrorAnswer {
  status: number;
  body: Record<string, unknown>;
  retryAfter?: number;
}

const unavailable = (what: string): ErrorAnswer => ({
  status: 503,
  body: { msg: `${what} cannot be reached at the moment, please try again` },
  retryAfter: 2,
});

const full = (place: string): ErrorAnswer => ({
  status: 503,
  body: { msg: `disk full: nothing can be saved until there is space at ${place}` },
  retryAfter: 10,
});

const ofDomain = (error: DomainError): ErrorAnswer => {
  const { current, heldBy, code, retryAfter } = error.detail;
  return {
    status: statusOf[error.code],
    body: {
      msg: error.msg,
      ...(error.data ? { data: error.data } : {}),
      ...(current === undefined ? {} : { current }),
      ...(heldBy === undefined ? {} : { heldBy }),
      ...(code === undefined ? {} : { code }),
    },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
};

/** All connections of the pool were in use for as long as a call may wait. */
const busy: ErrorAnswer = {
  status: 503,
  body: { msg: 'the database is too busy at the moment, please try again' },
  retryAfter: 2,
};
const queued = /^timeout exceeded when trying to connect/;

/** SQLSTATE classes: 22 data, 23 integrity. */
const ofDatabase = (error: { code?: unknown; message?: unknown }): ErrorAnswer | undefined => {
  if (queued.test(String(error.message))) return busy;
  if (isDatabaseOutage(error)) return unavailable('the database');
  const group = sqlClassOf(error);
  if (group === '22') return { status: 400, body: { msg: 'this input cannot be stored' } };
  if (group === '23') return { status: 409, body: { msg: 'this conflicts with existing data' } };
  return undefined;
};

const ofLog = (error: StoreUnavailable | StreamDeleted | StreamCut | EventIdTaken): ErrorAnswer => {
  if (error instanceof LogDamaged)
    return { status: 503, body: { msg: `nothing can be recorded: ${error.problem}` }, retryAfter: 60 };
  if (error instanceof LogForbidden) {
    const msg = `${error.message}: correct EVENT_STORE_URL, or give that user its rights back`;
    return { status: 503, body: { msg }, retryAfter: 60 };
  }
  if (error instanceof StreamCut) {
    const msg = `nothing was recorded: ${error.message}: give it its events back, or restore a backup of the log from before that`;
    return { status: 409, body: { msg } };
  }
  if (error instanceof StreamDeleted) {
    const msg = `${error.message}: restore a backup of the log from before that`;
    return { status: 409, body: { msg } };
  }
  if (error instanceof EventIdTaken)
    return { status: 409, body: { msg: `nothing was recorded, please try again: ${error.message}` } };
  return unavailable('the event log');
};

const refusals: Record<number, string> = {
  404: 'this call could not be found',
  413: 'this is too large',
  414: 'this address is too long',
  415: 'JSON is expected',
};

/**
 * Refusals of Fastify or Nest before a route is reached. Their messages may repeat input, so they are replaced by ours.
 */
const ofFramework = (error: unknown): ErrorAnswer | undefined => {
  const status =
    error instanceof HttpException ? error.getStatus() : (error as { statusCode?: number }).statusCode;
  if (status === undefined || status < 400 || status > 499) return undefined;
  return { status, body: { msg: refusals[status] ?? 'this request cannot be understood' } };
};

/**
 * The answer to an error; `undefined` if it is unforeseen.
 * @param fullPlace disk without space, which caused the failure
 */
export const answerTo = (error: unknown, fullPlace?: string): ErrorAnswer | undefined => {
  if (fullPlace !== undefined) return full(fullPlace);
  if (error instanceof DomainError) return ofDomain(error);
  if (
    error instanceof StoreUnavailable ||
    error instanceof StreamDeleted ||
    error instanceof StreamCut ||
    error instanceof EventIdTaken
  )
    return ofLog(error);
  if (error instanceof WrongExpectedRevision)
    return { status: 409, body: { msg: 'somebody else changed this in the meantime' } };
  if (typeof error !== 'object' || error === null) return undefined;
  return ofDatabase(error) ?? ofFramework(error);
};

@Catch()
export class HttpErrors implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(ROOMS) private readonly rooms: readonly Room[],
    private readonly refusals: RefusalLog,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const http = host.switchToHttp();
    this.send(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  send(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { correlationId } = request;
    const answer = answerTo(error, this.rooms.find((room) => room.explains(error))?.name);
    if (!answer) this.logger.error({ err: error, route: request.routeOptions?.url }, 'a call failed');
    else if (answer.status >= 500)
      this.logger.warn({ err: error, status: answer.status }, 'a call could not be served');
    else if (error instanceof DomainError) this.refusals.note(request, answer.status, error);
    const { status, body, retryAfter } = answer ?? {
      status: 500,
      body: { msg: 'something went wrong', correlationId },
    };
    if (reply.sent) return;
    if (retryAfter !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfter)));
    void reply
      .code(status)
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-store');
    void reply.send(body);
  }
}
