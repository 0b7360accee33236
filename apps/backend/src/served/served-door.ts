/**
 * The door to served APIs: `/api/instance/{uuid}/…`. It is under the console's origin, so nothing of the console's
 * passes: no cookie goes in or out, and an answer is JSON that no browser takes for a page. A bearer token is all that
 * counts, and the API judges it. Requests are taken before the framework sees them, whose hooks, each for the calls of
 * operators, would cost several times as much as the API itself.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { addressesOf, callerAddress, isTrustedProxy, limitedAs } from '../platform/caller-address';
import { Readiness } from '../platform/boot';
import { DomainError, statusOf } from '../platform/errors';
import { CallerWatch, isSecure, Metrics, PREFIX } from '../platform/http';
import { CONFIG, LOGGER, type Config, type Logger } from '../platform/tokens';
import { drained, sentIn } from './child/bodies';
import { ApiRefusal } from './child/refusal';
import type { LineAnswer, LineRequest } from './line';
import { NotServed } from './not-served';
import type { ServedApi } from './served-api';
import { ServedApis } from './served-apis';

/** Whatever the API says: the console's own origin must not run it. */
const FORCED = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; sandbox`,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-definition, retry-after, x-correlation-id',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
} as const;
/** All others stay with the process. */
const PASSED_OUT = ['x-definition', 'retry-after', 'www-authenticate', 'location'] as const;
const READING = ['GET', 'HEAD'];
const METHODS = [...READING, 'POST', 'PUT', 'DELETE'];

const START = `/${PREFIX}/instance/`;
const ROUTE = `${START}:uuid`;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const UUID_LENGTH = 36;
/** Slower ones are logged. */
const SLOW_MS = 1000;

type Headers = Readonly<Record<string, string>>;

@Injectable()
export class ServedDoor implements OnModuleInit {
  private readonly always: readonly string[];
  /** Requests are numbered: a random name for each would cost more than its address. */
  private readonly door = randomUUID().slice(0, 8);
  private requests = 0;
  private readonly isTrusted: (address: string) => boolean;

  constructor(
    private readonly adapter: HttpAdapterHost<FastifyAdapter>,
    private readonly apis: ServedApis,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly callers: CallerWatch,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.isTrusted = isTrustedProxy(config);
    const secure = isSecure(config) && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };
    this.always = Object.entries({ ...FORCED, ...secure }).flat();
  }

  onModuleInit(): void {
    const server: Server = this.adapter.httpAdapter.getHttpServer();
    const others = server.listeners('request');
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (isOurs(request.url ?? '')) void this.take(request, response);
      else for (const other of others) other.call(server, request, response);
    });
    // Other ways to write these addresses, and the second server of a name with two addresses.
    void this.adapter.httpAdapter.getInstance<FastifyInstance>().register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _body, done) => done(null));
      const config = { rateLimit: false, compress: false } as const;
      for (const url of [ROUTE, `${ROUTE}/*`])
        scope.all(url, { config }, ({ raw }, reply) => {
          reply.hijack();
          void this.take(raw, reply.raw);
        });
    });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now();
    const { method = '', url = '' } = request;
    try {
      if (method === 'OPTIONS') this.tell(response, 204, PREFLIGHT);
      else await this.pass(request, response, method, url.slice(url.indexOf(START) + START.length));
    } catch (error) {
      if (isHalfRead(request)) await drained(request);
      if (response.headersSent) response.destroy();
      else {
        const { status, headers, message } = refusalOf(error);
        this.tell(response, status, headers, Buffer.from(JSON.stringify({ message })));
      }
    }
    const ms = performance.now() - began;
    const { statusCode: status } = response;
    this.metrics.took({ method, route: `${ROUTE}/*`, status }, ms / 1000);
    const level = ms > SLOW_MS ? 'info' : 'debug';
    if (this.logger.isLevelEnabled(level))
      this.logger[level]({ method, route: ROUTE, status, ms: Math.round(ms) }, 'call');
  }

  /** @param rest of the address, from the uuid on */
  private async pass(
    request: IncomingMessage,
    response: ServerResponse,
    method: string,
    rest: string,
  ): Promise<void> {
    const after = rest.slice(UUID_LENGTH);
    const uuid = rest.slice(0, UUID_LENGTH);
    if (!UUID.test(uuid) || !/^(?:$|[/?])/.test(after)) throw new DomainError('notFound', 'uuid not found');
    if (!METHODS.includes(method)) throw new DomainError('notFound', 'endpoint not found');
    const sent = READING.includes(method) ? undefined : sentIn(request);
    const { authorization, 'content-type': contentType } = request.headers;
    const addresses = addressesOf(request, this.isTrusted);
    const asked: LineRequest = {
      method,
      url: after.startsWith('/') ? after : `/${after}`,
      caller: limitedAs(callerAddress(addresses)),
      authorization,
      contentType,
      // Collected, because it is sent again if the process had ended before it could be reached.
      body: sent && (await sent.read()),
    };
    this.callers.note(addresses, request);
    const answer = await this.ask(this.apis.known(uuid) ?? (await this.apis.of(uuid.toLowerCase())), asked);
    const headers: Record<string, string> = {};
    for (const name of PASSED_OUT) {
      const value = answer.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    if (answer.bytes === answer.first.length)
      this.tell(response, answer.status, headers, answer.first, method);
    else await this.tellLong(response, answer, headers, method);
  }

  /** What only reads is asked again if the process ended before it answered. */
  private async ask(api: ServedApi, asked: LineRequest): Promise<LineAnswer> {
    try {
      return await api.ask(asked);
    } catch (error) {
      if (error instanceof NotServed || !READING.includes(asked.method)) throw error;
      return api.ask(asked);
    }
  }

  private tell(response: ServerResponse, status: number, headers: Headers, body?: Buffer, method = ''): void {
    this.begin(response, status, headers, body?.length ?? 0);
    response.end(method === 'HEAD' || status === 204 ? undefined : body);
  }

  private begin(response: ServerResponse, status: number, headers: Headers, bytes: number): void {
    this.requests += 1;
    const lines = [...this.always, 'x-correlation-id', `${this.door}-${this.requests}`];
    for (const name in headers) lines.push(name, headers[name] as string);
    if (status !== 204) lines.push('content-length', String(bytes));
    // A body that was not read would be taken for the next request.
    if (this.readiness.draining || isHalfRead(response.req)) lines.push('connection', 'close');
    response.writeHead(status, lines);
  }

  /** Piece by piece, each when the caller has taken the one before. */
  private async tellLong(
    response: ServerResponse,
    answer: LineAnswer,
    headers: Headers,
    method: string,
  ): Promise<void> {
    this.begin(response, answer.status, headers, answer.bytes);
    let left = method === 'HEAD' ? 0 : answer.bytes;
    try {
      for (let piece = answer.first; left > 0; piece = await answer.next()) {
        left -= piece.length;
        if (!response.write(piece)) await takenBy(response);
        if (response.destroyed) return;
        if (left === 0) break;
      }
      response.end();
    } finally {
      answer.leave();
    }
  }
}

/** Of a whole address, as it is sent to a proxy, only the path counts. */
const isOurs = (url: string): boolean =>
  (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')).startsWith(START);

const isHalfRead = (request: IncomingMessage): boolean => !request.complete && sentIn(request) !== undefined;

const takenBy = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    response.on('drain', end).on('close', end);
    if (response.destroyed) end();
  });

const refusalOf = (error: unknown): { status: number; headers: Headers; message: string } => {
  if (error instanceof DomainError) {
    const { retryAfter } = error.detail;
    return {
      status: statusOf[error.code],
      headers: retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) },
      message: error.msg,
    };
  }
  if (error instanceof ApiRefusal) return { status: error.status, headers: {}, message: error.message };
  const [message, wait] =
    error instanceof NotServed
      ? [error.message, error.retryAfter]
      : ['this API ended before it answered: try again', 1];
  return { status: 503, headers: { 'retry-after': String(wait) }, message };
};
