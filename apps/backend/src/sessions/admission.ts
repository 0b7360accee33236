/**
 * The only place that starts sessions. Everybody who has proved who they are gets a session here, with the matching
 * answer.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Answer, auth } from '@quarterdeck/contract';
import type { Position, SignInDenial } from '@quarterdeck/events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import { People, personDecider, SignIn } from '../people';
import {
  clearCookie,
  cookieAttributes,
  cookiePrefix,
  sessionSecretIn,
  written,
  type Written,
} from '../platform/http';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import {
  lackOf,
  type NewSession,
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

/** What matters about the request of a sign-in. */
export interface Visit {
  correlationId: string;
  userAgent?: string | undefined;
}

/** Who is signed in. */
type Introduced = NewSession & Pick<Session, 'lacks'>;

export interface SignedIn {
  /** Value of the session cookie. */
  cookie: string;
  session: Introduced;
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
    private readonly decisions: Decisions,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    private readonly workspaces: Workspaces,
    private readonly people: People,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /**
   * Records the sign-in and starts the session, or does neither.
   * @param client a transaction to use, if more belongs to it
   * @throws DomainError `unauthenticated` if the person is not a member
   */
  async admit(entrant: Entrant, visit: Visit, client?: PoolClient): Promise<SignedIn> {
    if (!client) return transaction(this.pool, (own) => this.admit(entrant, visit, own));
    const { person, workspace: workspaceId, via } = entrant;
    const workspace = await this.workspaces.byId(workspaceId);
    const role = await this.people.roleOf(person, workspaceId, client);
    if (!workspace || !role) throw denied('no-member');
    // Users of a product have no console.
    if (workspace.product && role !== 'superadmin') throw denied();
    const meta = ownMeta(person, workspaceId, visit.correlationId);
    const { position } = await this.decisions.execute(personDecider, new SignIn(person, { via }, meta));
    const { factors = {} } = (await this.decisions.load(personDecider, person, workspaceId)).state;
    const member = { hasFactor: Object.keys(factors).length > 0, demanded: workspace.demandsFactor };
    const lacks = lackOf(member, undefined);
    const session = {
      person,
      workspace: workspaceId,
      workspaceName: workspace.name,
      role,
      ...(lacks && { lacks }),
    };
    const { userAgent } = visit;
    const prefix = cookiePrefix(this.config);
    const cookie = await this.sessions.open(session, { via, userAgent, prefix }, client);
    return { cookie, session, position };
  }

  /** Gives the browser its cookie and ends the session of its old one, which nobody could end afterwards. */
  async welcome(
    { cookie, session, position }: SignedIn,
    reply: FastifyReply,
  ): Promise<Written<SignedInAnswer>> {
    const before = await this.sessions.load(sessionSecretIn(reply.request.cookies));
    if (before) await this.sessions.revoke(before.id);
    this.setCookie(reply, SESSION_COOKIE, cookie, SESSION_SECONDS);
    return written(await this.introduce(session), position);
  }

  farewell(reply: FastifyReply): void {
    clearCookie(reply, SESSION_COOKIE, this.config);
  }

  /** The person who is signed in, and their role. */
  async introduce({ lacks, ...session }: Introduced): Promise<SignedInAnswer> {
    // Whoever has passed only the first of two factors learns nothing about the person.
    const [{ name = '', email = '' }, resetAt] =
      lacks === 'due'
        ? [{}]
        : await Promise.all([this.people.record(session.person), this.people.factorsResetAt(session.person)]);
    const [firstName = '', ...rest] = name.split(' ');
    const permissions = lacks ? [] : permissionsOf(session.role);
    const instance = { uuid: session.workspace, name: session.workspaceName };
    const locale = 'en';
    const lastName = rest.join(' ');
    const { product } = (await this.workspaces.byId(session.workspace)) ?? {};
    const profile = {
      id: session.person,
      firstName,
      lastName,
      email,
      permissions,
      locale,
      instance: { ...instance, ...(product && { product }) },
    };
    return {
      profile,
      permissions,
      locale,
      instance,
      ...(lacks && { lacks }),
      ...(resetAt !== undefined && { secondFactorResetAt: resetAt }),
    };
  }

  /** Replaces a cookie of the same name from before an update. */
  setCookie(reply: FastifyReply, name: string, value: string, maxAge: number): void {
    const [prefix, attributes] = [cookiePrefix(this.config), cookieAttributes(this.config)];
    void reply.setCookie(`${prefix}${name}`, value, { ...attributes, maxAge });
    if (prefix !== '' && reply.request.cookies[name] !== undefined) void reply.clearCookie(name, attributes);
  }
}
