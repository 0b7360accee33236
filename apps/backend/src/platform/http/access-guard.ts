/** Runs before every route: loads the session, refuses cross-site changes, demands the second factor, compares roles. */
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isRead } from '@quarterdeck/contract';
import type { FastifyRequest } from 'fastify';
import { callOf } from './call';
import { sessionSecretIn } from './cookies';
import { DomainError } from '../errors';
import { requestContext } from '../logging';
import { mayProbe, probeRefusal } from './probe-access';
import { mayActAs, refusalOf, type Sessions } from '../sessions';
import { CONFIG, SESSIONS, type Config } from '../tokens';

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Accepted values of Sec-Fetch-Site. Absent in old browsers and programs. `none`: the operator typed the address. */
const ownSite = new Set([undefined, 'same-origin', 'none']);

/**
 * No page of another site sends one of these headers by itself, and calls that know no session have no cookie to misuse.
 * Source hosts sign, and can send no header of ours.
 */
const bringsProof = ({ headers }: FastifyRequest): boolean =>
  /^Bearer /i.test(headers.authorization ?? '') || headers['x-hub-signature-256'] !== undefined;

/** @throws DomainError `forbidden` */
export const refuseCrossSite = (request: FastifyRequest): void => {
  if (!request.headers['x-requested-with'])
    throw new DomainError(
      'forbidden',
      'the header X-Requested-With is missing; calls that change something need it',
    );
  const site = request.headers['sec-fetch-site'];
  if (typeof site === 'string' && !ownSite.has(site))
    throw new DomainError('forbidden', 'calls from other sites are not accepted');
};

@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(SESSIONS) private readonly sessions: Sessions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const call = callOf(context);
    if (!call) throw new DomainError('forbidden', 'this call is not available');
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const isDoor = call.access === 'public' && bringsProof(request);
    if (!isDoor && (!isRead(call) || !reads.has(request.method))) refuseCrossSite(request);
    if (call.access === 'public') return true;
    if (call.access === 'local') {
      if (mayProbe(request, this.config)) return true;
      throw new DomainError('forbidden', probeRefusal(this.config));
    }
    const session = await this.sessions.load(sessionSecretIn(request.cookies));
    if (!session) throw new DomainError('unauthenticated', 'please sign in');
    request.session = session;
    Object.assign(requestContext.getStore() ?? {}, { actor: session.person, workspace: session.workspace });
    if (session.lacks && !call.lacking?.includes(session.lacks)) throw refusalOf(session.lacks);
    if (!mayActAs(session.role, call.access))
      throw new DomainError('forbidden', `this requires the role ${call.access}`);
    return true;
  }
}
