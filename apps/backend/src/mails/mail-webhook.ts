/**
 * The door of the webhook for e-mails. Its bodies are large, and anybody can send them: the token is checked before the
 * first byte is read, and the signature before the bytes are parsed.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { mailIntake } from '@quarterdeck/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerAddress } from '../platform/caller-address';
import { DomainError } from '../platform/errors';
import { MAX_BODY_BYTES, PREFIX, refuseCrossSite } from '../platform/http';
import { refusedSignature } from '../platform/webhook-signature';
import { MailRoom, NO_ROOM } from './mail-room';
import { MailTokens, type Sender } from './mail-tokens';

const { path, maxBodyBytes = MAX_BODY_BYTES } = mailIntake.receive;
const ROUTE = `/${PREFIX}/${path}`;
const RETRY_AFTER_S = 5;

export const signatureIn = ({ headers }: FastifyRequest): string =>
  String(headers['x-quarterdeck-signature'] ?? '');

@Injectable()
export class MailWebhook implements OnModuleInit {
  private readonly senders = new WeakMap<FastifyRequest, Sender>();

  constructor(
    private readonly adapter: HttpAdapterHost<FastifyAdapter>,
    private readonly tokens: MailTokens,
    private readonly room: MailRoom,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('preParsing', (request, reply, _payload, done) => {
      if (request.routeOptions.url !== ROUTE) return done();
      this.open(request, reply).then(() => done(), done);
    });
  }

  /** Who signed the request. @throws DomainError `unauthenticated` */
  async senderOf(request: FastifyRequest): Promise<Sender> {
    return this.senders.get(request) ?? this.tokens.refuse(callerAddress(request), 'the body is not signed');
  }

  /** @throws DomainError, before anything of the body is read */
  private async open(request: FastifyRequest, { raw }: FastifyReply): Promise<void> {
    const closed = new Promise<void>((resolve) => raw.once('close', resolve));
    refuseCrossSite(request);
    const address = callerAddress(request);
    const token = String(request.headers['x-quarterdeck-token'] ?? '');
    const { sender, secret } = await this.tokens.ofId(token, address);
    // A caller that does not say how much it sends may send as much as is possible.
    const bytes = Number(request.headers['content-length'] ?? maxBodyBytes);
    // Too much is refused without being read.
    if (bytes <= maxBodyBytes) {
      if (!this.room.take(bytes))
        throw new DomainError('unavailable', NO_ROOM, undefined, { retryAfter: RETRY_AFTER_S });
      void closed.then(() => this.room.free(bytes));
    }
    request.checkBody = (body) => {
      const why = refusedSignature(signatureIn(request), body, secret, new Date());
      if (why !== undefined) return this.tokens.refuse(address, why);
      this.senders.set(request, sender);
      return Promise.resolve();
    };
  }
}
