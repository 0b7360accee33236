/**
 * The door for source hosts. Anybody can call it: which service it is about is checked before the first byte of the body is
 * read, and the signature before the bytes are parsed.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { pushDoor } from '@quarterdeck/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerAddress } from '../platform/caller-address';
import { invalidField } from '../platform/errors';
import { MAX_BODY_BYTES, PREFIX, refuseCrossSite } from '../platform/http';
import { refusedHubSignature } from '../platform/webhook-signature';
import { PushRefusals } from './push-refusals';
import { PushTokens, type SignedService } from './push-tokens';

const { path, maxBodyBytes = MAX_BODY_BYTES } = pushDoor.receive;
const ROUTE = `/${PREFIX}/${path}`;

const UNSIGNED = 'X-Hub-Signature-256 is missing: enter the secret at the source host';
const DELIVERY = /^[\x21-\x7e]{1,200}$/;
const EVENT = /^[a-z_]{1,100}$/;

/** A signed call. */
export interface PushCall {
  service: string;
  workspace: string;
  /** Of the secret that signed it. */
  token: string;
  event: string;
  delivery: string;
}

const header = ({ headers }: FastifyRequest, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

@Injectable()
export class PushDoor implements OnModuleInit {
  private readonly calls = new WeakMap<FastifyRequest, PushCall>();

  constructor(
    private readonly adapter: HttpAdapterHost<FastifyAdapter>,
    private readonly tokens: PushTokens,
    private readonly refusals: PushRefusals,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('preParsing', (request, _reply, _payload, done) => {
      if (request.routeOptions.url !== ROUTE) return done();
      this.open(request).then(() => done(), done);
    });
  }

  /** @throws DomainError `unauthenticated` if nothing was signed, such as a call without a body */
  async callIn(request: FastifyRequest): Promise<PushCall> {
    return this.calls.get(request) ?? this.tokens.refuse(callerAddress(request), 'the body is not signed');
  }

  /** @throws DomainError, before anything of the body is read */
  private async open(request: FastifyRequest): Promise<void> {
    const address = callerAddress(request);
    const { service } = request.query as { service?: unknown };
    const signed = await this.tokens.signersOf(typeof service === 'string' ? service : '');
    if (header(request, 'x-hub-signature-256') === '') {
      if (signed) await this.refusals.count(signed, UNSIGNED);
      // Only a signature shows that no page of another site has sent it.
      refuseCrossSite(request);
      return this.tokens.refuse(address, UNSIGNED);
    }
    if (!signed) return this.tokens.refuse(address);
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes)
      await this.refusals.count(signed, `a body has at most ${maxBodyBytes} bytes`);
    else if (!/^application\/json\b/i.test(header(request, 'content-type')))
      await this.refusals.count(
        signed,
        'the content type is not application/json: choose it at the source host',
      );
    request.checkBody = (body) => this.check(request, body, signed, address);
  }

  private async check(
    request: FastifyRequest,
    body: Buffer,
    signed: SignedService,
    address: string,
  ): Promise<void> {
    const signature = header(request, 'x-hub-signature-256');
    const why = refusedHubSignature(
      signature,
      body,
      signed.signers.map(({ secret }) => secret),
    );
    if (why !== undefined) {
      await this.refusals.count(signed, why);
      return this.tokens.refuse(address, why);
    }
    const by = signed.signers.find(
      ({ secret }) => refusedHubSignature(signature, body, [secret]) === undefined,
    );
    const [event, delivery] = [header(request, 'x-github-event'), header(request, 'x-github-delivery')];
    if (!EVENT.test(event))
      throw invalidField('X-GitHub-Event', 'the name of an event is expected, such as package');
    if (!DELIVERY.test(delivery))
      throw invalidField('X-GitHub-Delivery', 'at most 200 characters without spaces are expected');
    const { service, workspace } = signed;
    this.calls.set(request, { service, workspace, token: by?.id ?? '', event, delivery });
  }
}
