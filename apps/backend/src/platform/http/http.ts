/** Common handling of every call: correlation id, addresses, security headers, cookies, limits, JSON bodies. */
import type { IncomingMessage } from 'node:http';
import { auth, invitations } from '@quarterdeck/contract';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../config';
import { callerAddress, limitedAs } from '../caller-address';
import { isSecure, sessionSecretIn } from './cookies';
import { DomainError } from '../errors';
import { acceptJsonOnly } from './json-bodies';
import { type RequestContext, requestContext } from '../logging';
import { hashed } from '../sessions';
import type { Logger } from '../tokens';
import type { SessionStore } from '../sessions';

const CALLERS_ID = /^[\w.:/+=-]{1,64}$/;

/**
 * Ours identifies the request in logs and events, so no caller chooses it. Theirs is logged beside it: whoever has the one
 * finds the other.
 */
const correlated = ({ headers: { 'x-correlation-id': theirs } }: FastifyRequest): RequestContext => ({
  correlationId: uuidv7(),
  ...(typeof theirs === 'string' && CALLERS_ID.test(theirs) ? { callerCorrelationId: theirs } : {}),
});

/** The router refuses an address that cannot be decoded before any hook runs. So it gets another one to refuse. */
export const routable = ({ url = '/' }: Pick<IncomingMessage, 'url'>): string =>
  isDecodable(url) ? url : '/api/';

const isDecodable = (url: string): boolean => {
  if (!url.includes('%')) return true;
  try {
    decodeURI(url.split(/[?#]/, 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
};

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

interface HttpDeps {
  config: Config;
  logger: Logger;
  sessions: SessionStore;
}

const securityHeaders = (config: Config) => ({
  contentSecurityPolicy: false,
  hsts: isSecure(config) ? { maxAge: 31_536_000 } : false,
  referrerPolicy: { policy: 'same-origin' as const },
  xFrameOptions: { action: 'deny' as const },
});

/**
 * The limit counts calls by a valid session, or else by address: anybody can invent cookies, even a new one for each
 * call. A session is looked up once, so nobody is refused for the calls of others at the same address.
 */
const callerOf = async (request: FastifyRequest, sessions: SessionStore): Promise<string> => {
  const secret = sessionSecretIn(request.cookies);
  const address = limitedAs(callerAddress(request));
  if (secret === undefined || !isCall(request)) return address;
  const session = hashed(secret);
  if (sessions.knows(session)) return session;
  return (await sessions.load(secret).catch(() => undefined)) ? session : address;
};

const isCall = ({ url }: FastifyRequest): boolean => url.startsWith('/api/');

/** These count their failures themselves, and answer a good code however many calls the address has made. */
const doors = new Set(
  [auth.link, auth.redirect, auth.invitation, invitations.look].map(({ path }) => `/api/${path}`),
);

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
  { config, logger, sessions }: HttpDeps,
): Promise<void> => {
  fastify.decorateRequest('correlationId', '');
  fastify.decorateRequest('context');
  fastify.addHook('onRequest', (request, reply, done) => {
    const context = correlated(request);
    request.correlationId = context.correlationId;
    request.context = context;
    void reply
      .header('x-correlation-id', context.correlationId)
      .header('content-security-policy', CONTENT_POLICY);
    requestContext.run(context, done);
  });
  // Reading the body uses the socket's events, which lose the context.
  fastify.addHook('preValidation', (request, _reply, done) => {
    requestContext.run(request.context, done);
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
      allowList: (request) => !isCall(request) || doors.has(request.routeOptions.url ?? ''),
      errorResponseBuilder: (_request, context) =>
        new DomainError('tooMany', 'too many calls, please wait a moment', undefined, {
          retryAfter: context.ttl / 1000,
        }),
    });
  fastify.addHook('onRequest', (request, _reply, done) => {
    done(
      isDecodable(request.originalUrl) ? undefined : new DomainError('invalid', 'this address is not valid'),
    );
  });
  // Answers contain an operator's data, so no cache may store them.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isCall(request) && !reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
    done(null, payload);
  });
};
