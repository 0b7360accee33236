/** Common handling of every call: correlation id, security headers, cookies, limits, JSON bodies. */
import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config, Resources } from '../boot';
import { DomainError } from '../errors';
import { acceptJsonOnly } from './json-bodies';
import { requestContext } from '../logging';
import { hashed, SESSION_COOKIE } from '../sessions';
import type { Logger } from '../tokens';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const correlationIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && UUID.test(header) ? header.toLowerCase() : randomUUID();

export const isSecure = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): boolean =>
  PUBLIC_URL?.startsWith('https:') ?? false;

/**
 * Scripts and styles come only from our own files: nothing inline, no eval. The console sets positions through the DOM,
 * which this allows, and keeps its theme in a style sheet. A constant, because helmet would build it again for every
 * call.
 */
const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

const securityHeaders = (config: Config) => ({
  contentSecurityPolicy: false,
  hsts: isSecure(config) ? { maxAge: 31_536_000 } : false,
  referrerPolicy: { policy: 'same-origin' as const },
  xFrameOptions: { action: 'deny' as const },
});

/**
 * The limit counts calls by a session that was accepted before, or else by address: anybody can invent cookies, even a
 * new one for each call.
 */
const callerOf = ({ cookies, ip }: FastifyRequest, sessions: Resources['sessions']): string => {
  const cookie = cookies[SESSION_COOKIE];
  const session = cookie && hashed(cookie);
  return session && sessions.knows(session) ? session : ip;
};

/** Slower calls are logged at level `info`, others at `debug`. */
const SLOW_MS = 1000;

const logCalls = (fastify: FastifyInstance, logger: Logger): void => {
  fastify.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime);
    const level = ms > SLOW_MS ? 'info' : 'debug';
    // The route, not the address, which may contain a secret.
    if (logger.isLevelEnabled(level))
      logger[level](
        { method: request.method, route: request.routeOptions.url, status: reply.statusCode, ms },
        'call',
      );
    done();
  });
};

export const prepareHttp = async (
  fastify: FastifyInstance,
  { config, logger, sessions }: Resources,
): Promise<void> => {
  fastify.decorateRequest('correlationId', '');
  fastify.addHook('onRequest', (request, reply, done) => {
    request.correlationId = correlationIdOf(request.headers['x-correlation-id']);
    void reply
      .header('x-correlation-id', request.correlationId)
      .header('content-security-policy', CONTENT_POLICY);
    requestContext.run({ correlationId: request.correlationId }, done);
  });
  // Reading the body uses the socket's events, which lose the context.
  fastify.addHook('preValidation', (request, _reply, done) => {
    requestContext.run({ correlationId: request.correlationId }, done);
  });
  logCalls(fastify, logger);
  acceptJsonOnly(fastify);
  await fastify.register(helmet, securityHeaders(config));
  await fastify.register(cookie);
  // Lists shrink to a quarter. Downloads are left alone: they are encrypted, or streams with a length of their own.
  await fastify.register(compress, { customTypes: /^application\/json(?:;|$)/, globalDecompression: false });
  if (config.CALLS_PER_MINUTE > 0)
    await fastify.register(rateLimit, {
      max: config.CALLS_PER_MINUTE,
      timeWindow: '1 minute',
      cache: 20_000,
      keyGenerator: (request) => callerOf(request, sessions),
      allowList: (request) => !request.url.startsWith('/api/'),
      errorResponseBuilder: (_request, context) =>
        new DomainError('tooMany', 'too many calls, please wait a moment', undefined, {
          retryAfter: context.ttl / 1000,
        }),
    });
  // Answers contain an operator's data, so no cache may store them.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control'))
      void reply.header('cache-control', 'no-store');
    done(null, payload);
  });
};
