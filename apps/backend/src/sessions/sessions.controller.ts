import { Body, Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { SessionView } from '@quarterdeck/events';
import { instanceExists, nothing, sessionRevoke, signInByLink } from '@quarterdeck/events/inputs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { personDecider, SignOut } from '../people';
import { Access, CurrentSession, Meta } from '../platform/access';
import { written } from '../platform/answers';
import { Decisions } from '../platform/decider-handlers';
import { notFound } from '../platform/errors';
import { FailedAttempts } from '../platform/failed-attempts';
import type { CommandMeta, Session } from '../platform/session';
import type { Sessions } from '../platform/session-store';
import { SESSIONS } from '../platform/tokens';
import { valid } from '../platform/validation';
import { VERSION } from '../platform/version';
import { Workspaces } from '../workspaces';
import { Admission, visitOf } from './admission';
import { OwnSessions } from './own-sessions';
import { SignInLinks } from './sign-in-links';

@Controller()
export class SessionsController {
  constructor(
    @Inject(SESSIONS) private readonly sessions: Sessions,
    @Inject(OwnSessions) private readonly own: OwnSessions,
    @Inject(SignInLinks) private readonly links: SignInLinks,
    @Inject(Admission) private readonly admission: Admission,
    @Inject(FailedAttempts) private readonly failures: FailedAttempts,
    @Inject(Workspaces) private readonly workspaces: Workspaces,
    @Inject(Decisions) private readonly decisions: Decisions,
  ) {}

  @Get('session')
  @Access('member', { summary: 'Who is signed in, and as what' })
  async session(@CurrentSession() session: Session): Promise<object> {
    return { ...(await this.admission.introduce(session)), version: VERSION };
  }

  @Post('session/list')
  @HttpCode(200)
  @Access('member', { summary: 'Where one is signed in oneself', receipt: false })
  list(@Body(valid(nothing)) _input: object, @CurrentSession() session: Session): Promise<SessionView[]> {
    return this.own.list(session);
  }

  @Post('session/revoke')
  @HttpCode(200)
  @Access('member', { summary: 'Ends one of one’s own sessions' })
  async revoke(
    @Body(valid(sessionRevoke)) { id }: z.infer<typeof sessionRevoke>,
    @CurrentSession() session: Session,
    @Meta() meta: CommandMeta,
  ) {
    return written({ id }, await this.own.revoke(id, session, meta));
  }

  @Post('session/revoke-others')
  @HttpCode(200)
  @Access('member', { summary: 'Ends all of one’s own sessions except this one' })
  async revokeOthers(
    @Body(valid(nothing)) _input: object,
    @CurrentSession() session: Session,
    @Meta() meta: CommandMeta,
  ) {
    const { ended, position } = await this.own.revokeOthers(session, meta);
    return position === undefined ? { ended } : written({ ended }, position);
  }

  @Post('auth/link')
  @HttpCode(200)
  @Access('public', { summary: 'Signs in with the code of a one-time link', receipt: false })
  signIn(
    @Body(valid(signInByLink)) { code }: z.infer<typeof signInByLink>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.failures.counting(request.ip, async () =>
      this.admission.welcome(await this.links.redeem(code, visitOf(request)), reply),
    );
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
    this.admission.farewell(reply);
    return written({}, position);
  }

  @Get('auth/instance/exists')
  @Access('public', { summary: 'Finds a workspace by its name' })
  async exists(@Query(valid(instanceExists)) { instance }: z.infer<typeof instanceExists>): Promise<object> {
    const workspace = await this.workspaces.find(instance);
    if (!workspace) throw notFound('instance');
    return { uuid: workspace.id, name: workspace.name };
  }
}
