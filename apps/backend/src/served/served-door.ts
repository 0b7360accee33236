/**
 * The door to served APIs: `/api/instance/{uuid}/…`. It is under the console's origin, so nothing of the console's
 * passes: no cookie goes in or out, and an answer is JSON that no browser takes for a page. A bearer token is all that
 * counts, and the API judges it.
 */
import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerAddress, limitedAs } from '../platform/caller-address';
import { DomainError, statusOf } from '../platform/errors';
import { PREFIX } from '../platform/http';
import { NotServed } from './not-served';
import type { ServedApi } from './served-api';
import { ServedApis } from './served-apis';

/** All others stay here, in both directions. */
const PASSED_IN = ['accept', 'authorization', 'content-type'] as const;
const PASSED_OUT = ['x-definition', 'retry-after', 'www-authenticate', 'location'] as const;
/** Whatever the API says: the console's own origin must not run it. */
const FORCED = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; sandbox`,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-definition, retry-after, x-correlation-id',
  'cache-control': 'no-store',
} as const;
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
} as const;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;

const BASE = `/${PREFIX}/instance/:uuid`;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const UUID_LENGTH = 36;
const ANSWER_MS = 60_000;
const MAX_BYTES = 1024 * 1024;
/** Larger answers are passed on as they come. */
const COLLECTED_BYTES = 256 * 1024;

@Injectable()
export class ServedDoor implements OnModuleInit, OnModuleDestroy {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 32 });

  constructor(
    private readonly adapter: HttpAdapterHost<FastifyAdapter>,
    private readonly apis: ServedApis,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    // In a scope of its own: elsewhere, bodies are read and parsed before a route gets them. Not awaited: that would start
    // Fastify here, and the routes that exist already would never get the error handler that Nest sets afterwards.
    void fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // Collected, because it is sent again if the process had ended before it could be reached.
      scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_, body, done) =>
        done(null, body),
      );
      scope.setErrorHandler((error, _, reply) => refuse(error, reply.headers(FORCED)));
      const config = { rateLimit: false, compress: false } as const;
      for (const url of [BASE, `${BASE}/*`]) {
        scope.route({
          method: [...METHODS],
          url,
          exposeHeadRoute: false,
          bodyLimit: MAX_BYTES,
          config,
          handler: (request, reply) => this.pass(request, reply),
        });
        scope.options(url, { config }, (_, reply) =>
          reply
            .code(204)
            .headers({ ...FORCED, ...PREFLIGHT })
            .send(),
        );
      }
    });
  }

  onModuleDestroy(): void {
    this.agent.destroy();
  }

  private async pass(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers(FORCED);
    try {
      const { uuid } = request.params as { uuid: string };
      if (!UUID.test(uuid)) throw new DomainError('notFound', 'uuid not found');
      const api = await this.apis.of(uuid.toLowerCase());
      return await this.answer(api, request, reply);
    } catch (error) {
      return refuse(error, reply);
    }
  }

  private async answer(api: ServedApi, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answer = await this.ask(api, request, reply.raw);
    reply.code(answer.statusCode ?? 503);
    for (const name of PASSED_OUT) {
      const value = answer.headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    const bytes = Number(answer.headers['content-length'] ?? 0);
    if (bytes > COLLECTED_BYTES) return reply.header('content-length', bytes).send(answer);
    return reply.send(await buffer(answer));
  }

  /** What only reads is asked again if the process ended before it answered. */
  private async ask(
    api: ServedApi,
    request: FastifyRequest,
    caller: ServerResponse,
  ): Promise<IncomingMessage> {
    const once = (): Promise<IncomingMessage> => api.use((socket) => this.askOnce(socket, request, caller));
    try {
      return await once();
    } catch (error) {
      if (error instanceof NotServed || (request.method !== 'GET' && request.method !== 'HEAD')) throw error;
      return once();
    }
  }

  private askOnce(
    socketPath: string,
    { method, url, headers, body, ip, ips }: FastifyRequest,
    caller: ServerResponse,
  ): Promise<IncomingMessage> {
    const given = PASSED_IN.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
    const sent = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    return new Promise((resolve, reject) => {
      const asked = ask(
        {
          socketPath,
          agent: this.agent,
          method,
          path: pathOf(url),
          headers: {
            ...Object.fromEntries(given),
            'content-length': sent.length,
            'x-forwarded-for': limitedAs(callerAddress({ ip, ips })),
          },
          timeout: ANSWER_MS,
        },
        resolve,
      );
      asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
      asked.once('error', reject);
      caller.once('close', () => {
        // The caller has hung up.
        if (!caller.writableFinished) asked.destroy();
      });
      asked.end(sent);
    });
  }
}

/** What follows the uuid. */
const pathOf = (url: string): string => {
  const rest = url.slice(url.indexOf('/instance/') + '/instance/'.length + UUID_LENGTH);
  return rest.startsWith('/') ? rest : `/${rest}`;
};

const refuse = (error: unknown, reply: FastifyReply): FastifyReply => {
  if (error instanceof DomainError) {
    const { retryAfter } = error.detail;
    if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)));
    return reply.code(statusOf[error.code]).send(JSON.stringify({ message: error.msg }));
  }
  const { statusCode } = error as { statusCode?: number };
  if (statusCode === 413)
    return reply
      .code(413)
      .send(JSON.stringify({ message: `the body is larger than ${MAX_BYTES / 1024} kB: send it in parts` }));
  if (statusCode !== undefined && statusCode < 500)
    return reply.code(statusCode).send(JSON.stringify({ message: 'this request cannot be understood' }));
  const [message, wait] =
    error instanceof NotServed
      ? [error.message, error.retryAfter]
      : ['this API ended before it answered: try again', 1];
  return reply.code(503).header('retry-after', String(wait)).send(JSON.stringify({ message }));
};
