import { Body, Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { instanceExists, signInByLink } from '@quarterdeck/events/inputs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { People, personDecider, SignOut } from '../people';
import { Access, CurrentSession, Meta } from '../platform/access';
import { written } from '../platform/answers';
import { Decisions } from '../platform/decider-handlers';
import { DomainError, notFound } from '../platform/errors';
import { isSecure } from '../platform/http';
import { permissionsOf, type CommandMeta, type Session } from '../platform/session';
import { SESSION_COOKIE, SESSION_SECONDS, type Sessions } from '../platform/session-store';
import { CONFIG, SESSIONS, type Config } from '../platform/tokens';
import { valid } from '../platform/validation';
import { VERSION } from '../platform/version';
import { Workspaces } from '../workspaces';
import { FailedAttempts } from './failed-attempts';
import { SignInLinks } from './sign-in-links';

@Controller()
export class SessionsController {
  private readonly failures = new FailedAttempts();

  constructor(
    @Inject(SESSIONS) private readonly sessions: Sessions,
    @Inject(SignInLinks) private readonly links: SignInLinks,
    @Inject(People) private readonly people: People,
    @Inject(Workspaces) private readonly workspaces: Workspaces,
    @Inject(Decisions) private readonly decisions: Decisions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('session')
  @Access('member', { summary: 'Who is signed in, and as what' })
  async session(@CurrentSession() session: Session): Promise<object> {
    return { ...(await this.welcome(session)), version: VERSION };
  }

  @Post('auth/link')
  @HttpCode(200)
  @Access('public', { summary: 'Signs in with the code of a one-time link', receipt: false })
  async signIn(
    @Body(valid(signInByLink)) { code }: z.infer<typeof signInByLink>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    this.failures.check(request.ip);
    try {
      const { cookie, session, position } = await this.links.redeem(code, request.correlationId);
      void reply.setCookie(SESSION_COOKIE, cookie, { ...this.cookie(), maxAge: SESSION_SECONDS });
      return written(await this.welcome(session), position);
    } catch (error) {
      if (error instanceof DomainError) this.failures.failed(request.ip);
      throw error;
    }
  }

  @Get('auth/logout')
  @Access('member', { summary: 'Signs out', changes: true })
  logout(
    @CurrentSession() session: Session,
    @Meta() meta: CommandMeta,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.signOut(session, meta, reply);
  }

  @Post('auth/logout')
  @HttpCode(200)
  @Access('member', { summary: 'Signs out', receipt: false })
  async signOut(
    @CurrentSession() session: Session,
    @Meta() meta: CommandMeta,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { position } = await this.decisions.execute(personDecider, new SignOut(session.person, {}, meta));
    await this.sessions.revoke(session.id);
    void reply.clearCookie(SESSION_COOKIE, this.cookie());
    return written({}, position);
  }

  @Get('auth/instance/exists')
  @Access('public', { summary: 'Finds a workspace by its name' })
  async exists(@Query(valid(instanceExists)) { instance }: z.infer<typeof instanceExists>): Promise<object> {
    const workspace = await this.workspaces.find(instance);
    if (!workspace) throw notFound('instance');
    return { uuid: workspace.id, name: workspace.name };
  }

  private cookie() {
    return { path: '/', httpOnly: true, sameSite: 'lax' as const, secure: isSecure(this.config) };
  }

  private async welcome(session: Omit<Session, 'id'>): Promise<object> {
    const { name = '', email = '' } = await this.people.record(session.person);
    const [firstName = '', ...rest] = name.split(' ');
    const permissions = permissionsOf(session.role);
    const instance = { uuid: session.workspace, name: session.workspaceName };
    const locale = 'en';
    const profile = {
      id: session.person,
      firstName,
      lastName: rest.join(' '),
      email,
      instance,
      permissions,
      locale,
    };
    return { profile, permissions, locale, instance };
  }
}
