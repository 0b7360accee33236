/** The one door: whoever has shown who he is gets his session here, and the answer that goes with it. */
import { Inject, Injectable } from '@nestjs/common';
import type { Answer, auth } from '@quarterdeck/contract';
import type { Position, SignInDenial } from '@quarterdeck/events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import { People, personDecider, SignIn } from '../people';
import { isSecure, written, type Written } from '../platform/http';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import {
  ownMeta,
  permissionsOf,
  type Session,
  SESSION_COOKIE,
  SESSION_SECONDS,
  type Sessions,
} from '../platform/sessions';
import { CONFIG, DB, SESSIONS, type Config, type Pool } from '../platform/tokens';
import { transaction } from '../platform/database';
import { Workspaces } from '../workspaces';

type SignedInAnswer = Answer<typeof auth.link>;

export interface Entrant {
  person: string;
  workspace: string;
  /** `link`, `invitation`, or the provider. */
  via: string;
}

/** What of a request counts at the door. */
export interface Visit {
  correlationId: string;
  userAgent?: string | undefined;
}

export interface SignedIn {
  /** Value of the session cookie. */
  cookie: string;
  session: Omit<Session, 'id'>;
  position: Position;
}

export const denied = (reason?: SignInDenial): DomainError =>
  new DomainError(
    'unauthenticated',
    'Access Denied! Wrong access credentials.',
    undefined,
    reason === undefined ? {} : { code: reason },
  );

export const visitOf = ({ correlationId, headers }: FastifyRequest): Visit => ({
  correlationId,
  userAgent: headers['user-agent'],
});

@Injectable()
export class Admission {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(Decisions) private readonly decisions: Decisions,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    @Inject(Workspaces) private readonly workspaces: Workspaces,
    @Inject(People) private readonly people: People,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /**
   * The fact is recorded and the session opened, or neither.
   * @param client in whose transaction it happens, when there is more that belongs to it
   * @throws DomainError `unauthenticated` when the person is no member
   */
  async admit(entrant: Entrant, visit: Visit, client?: PoolClient): Promise<SignedIn> {
    if (!client) return transaction(this.pool, (own) => this.admit(entrant, visit, own));
    const { person, workspace: workspaceId, via } = entrant;
    const workspace = await this.workspaces.byId(workspaceId);
    const role = await this.people.roleOf(person, workspaceId, client);
    if (!workspace || !role) throw denied('no-member');
    const meta = ownMeta(person, workspaceId, visit.correlationId);
    const { position } = await this.decisions.execute(personDecider, new SignIn(person, { via }, meta));
    const session = { person, workspace: workspaceId, workspaceName: workspace.name, role };
    const { userAgent } = visit;
    const cookie = await this.sessions.open(session, { via, userAgent }, client);
    return { cookie, session, position };
  }

  /** Gives the browser its cookie, in place of the one that it had: nobody would ever end that session. */
  async welcome(
    { cookie, session, position }: SignedIn,
    reply: FastifyReply,
  ): Promise<Written<SignedInAnswer>> {
    const before = await this.sessions.load(reply.request.cookies[SESSION_COOKIE]);
    if (before) await this.sessions.revoke(before.id);
    void reply.setCookie(SESSION_COOKIE, cookie, { ...this.cookie(), maxAge: SESSION_SECONDS });
    return written(await this.introduce(session), position);
  }

  farewell(reply: FastifyReply): void {
    void reply.clearCookie(SESSION_COOKIE, this.cookie());
  }

  /** The person who is signed in, and their role. */
  async introduce(session: Omit<Session, 'id'>): Promise<SignedInAnswer> {
    const { name = '', email = '' } = await this.people.record(session.person);
    const [firstName = '', ...rest] = name.split(' ');
    const permissions = permissionsOf(session.role);
    const instance = { uuid: session.workspace, name: session.workspaceName };
    const locale = 'en';
    const lastName = rest.join(' ');
    const profile = { id: session.person, firstName, lastName, email, instance, permissions, locale };
    return { profile, permissions, locale, instance };
  }

  /** What all cookies of the console have in common. */
  cookie() {
    return { path: '/', httpOnly: true, sameSite: 'lax' as const, secure: isSecure(this.config) };
  }
}
