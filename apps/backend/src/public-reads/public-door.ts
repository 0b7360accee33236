/**
 * The door for products: `GET /api/public/…`. Beside the calls of the console, because it has no session: a token in a
 * header is all that counts, so pages of every site may ask. No cookie is read or set.
 */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { InputOf } from '@quarterdeck/contract';
import { publicReads, type PublicRead } from '@quarterdeck/contract/public-reads';
import { fieldMessages } from '@quarterdeck/events/inputs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { askedInstant, Instants } from '../platform/as-of';
import { callerAddress, limitedAs } from '../platform/caller-address';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { HttpErrors, PREFIX, Turns } from '../platform/http';
import { CONFIG, type Config } from '../platform/tokens';
import { PublicTokens, type Reader } from '../public-tokens';
import type { ReadRequest } from './public-contents';
import { maxAgeOf, PublicReads, type Answered } from './public-reads';

type Input = InputOf<(typeof publicReads)[PublicRead]>;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'authorization, if-none-match',
  'access-control-expose-headers': 'etag, x-at, x-correlation-id, x-position, retry-after',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

const tokenIn = ({ headers: { authorization = '' } }: FastifyRequest): string =>
  /^Bearer ([\w-]{20,200})$/i.exec(authorization)?.[1] ?? '';

/** `W/` is what proxies make of an ETag when they compress an answer. */
const has = ({ headers: { 'if-none-match': known = '' } }: FastifyRequest, etag: string): boolean =>
  known
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === etag || one === '*');

const takesGzip = ({ headers: { 'accept-encoding': accepted = '' } }: FastifyRequest): boolean =>
  String(accepted)
    .split(',')
    .some((one) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+)?\s*$/i.test(one));

@Injectable()
export class PublicDoor implements OnModuleInit {
  /** Answers about the past are made anew each time. */
  private readonly turns = new Turns();

  constructor(
    private readonly adapter: HttpAdapterHost<FastifyAdapter>,
    @Inject(CONFIG) private readonly config: Config,
    private readonly tokens: PublicTokens,
    private readonly reads: PublicReads,
    private readonly instants: Instants,
    private readonly errors: HttpErrors,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    const { config } = this;
    // A product with a token counts for itself, whatever its address. Everybody else counts as in other calls.
    const rateLimit = {
      max: (_: FastifyRequest, key: string) =>
        key.startsWith('token ') ? config.PUBLIC_READS_PER_MINUTE : config.CALLS_PER_MINUTE,
      keyGenerator: (request: FastifyRequest) => {
        const id = this.tokens.idOf(tokenIn(request));
        return id === undefined ? limitedAs(callerAddress(request)) : `token ${id}`;
      },
    };
    const options = { config: { rateLimit, compress: false } };
    for (const what of Object.keys(publicReads) as PublicRead[])
      fastify.get(`/${PREFIX}/${publicReads[what].path}`, options, (request, reply) =>
        this.answer(what, request, reply),
      );
    fastify.options(`/${PREFIX}/public/*`, (_, reply) =>
      reply.code(204).headers(CORS).header('access-control-max-age', '86400').send(),
    );
  }

  private async answer(
    what: PublicRead,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    reply.headers(CORS);
    try {
      const reader = await this.tokens.read(tokenIn(request), callerAddress(request));
      const { at, ...input } = inputOf(what, request);
      const asked = askedOf(what, input, reader);
      const turn = at === undefined ? undefined : await this.turn(reader, reply);
      return await (
        at === undefined ? this.present(asked, request, reply) : this.past(asked, at, request, reply)
      ).finally(() => turn?.());
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unauthenticated')
        reply.header('www-authenticate', 'Bearer');
      this.errors.send(error, request, reply);
      return reply;
    }
  }

  private async present(
    asked: ReadRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const now = Date.now();
    const known = await this.reads.etag(asked, now);
    if (has(request, known.etag)) return withHeaders(reply, known, now).code(304).send();
    return send(await this.reads.present(asked, now), now, request, reply);
  }

  private async past(
    asked: ReadRequest,
    at: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const instant = await this.instants.resolve(at, asked.workspace);
    const then = Date.parse(instant.at);
    const { until: _, ...answer } = await askedInstant.run(instant, () => this.reads.past(asked, then));
    reply.header('x-at', instant.at).header('x-position', instant.position);
    return send(answer, then, request, reply);
  }

  private turn({ workspace }: Reader, { raw }: FastifyReply): Promise<() => void> {
    const gone = new AbortController();
    raw.once('close', () => gone.abort());
    return this.turns.take(workspace, gone.signal);
  }
}

const inputOf = (what: PublicRead, request: FastifyRequest): Input => {
  const [params, query] = [request.params as object, request.query as object];
  for (const name of Object.keys(params))
    if (Object.hasOwn(query, name))
      throw invalidField(name, `the ${name} is in the path: leave \`?${name}=\` out`);
  const result = publicReads[what].input.safeParse({ ...query, ...params });
  if (result.success) return result.data;
  const data = fieldMessages(result.error);
  throw new DomainError('invalid', Object.values(data)[0] ?? 'this address is not accepted', data);
};

/** The product of somebody else looks like one that does not exist. */
const askedOf = (
  what: PublicRead,
  { product, language, fallback = 'en' }: Omit<Input, 'at'>,
  reader: Reader,
): ReadRequest => {
  if (product !== reader.product) throw notFound('product');
  return { what, product, workspace: reader.workspace, language, fallback };
};

const withHeaders = (
  reply: FastifyReply,
  answer: Pick<Answered, 'etag' | 'until'>,
  at: number,
): FastifyReply =>
  reply
    .header('etag', answer.etag)
    .header('cache-control', `private, max-age=${maxAgeOf(answer, at)}`)
    .header('vary', 'authorization, accept-encoding');

const send = (answer: Answered, at: number, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  withHeaders(reply, answer, at);
  if (has(request, answer.etag)) return reply.code(304).send();
  const { body, zipped } = answer;
  reply.header('content-type', 'application/json; charset=utf-8');
  return zipped && takesGzip(request)
    ? reply.header('content-encoding', 'gzip').send(zipped)
    : reply.send(body);
};
