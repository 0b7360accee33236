import { Controller, Inject, Req, Res } from '@nestjs/common';
import { sessions, auth, type InputOf } from '@quarterdeck/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { personDecider, SignOut } from '../people';
import { callerAddress } from '../platform/caller-address';
import { Answers, type Asker, written } from '../platform/http';
import { Decisions } from '../platform/decisions';
import { notFound } from '../platform/errors';
import { FailedAttempts, type Sessions } from '../platform/sessions';
import { SESSIONS } from '../platform/tokens';
import { VERSION } from '../platform/version';
import { Workspaces } from '../workspaces';
import { Admission, denied, visitOf } from './admission';
import { OwnSessions } from './own-sessions';
import { SignInLinks } from './sign-in-links';

@Controller()
export class SessionsController {
  constructor(
    @Inject(SESSIONS) private readonly sessions: Sessions,
    private readonly own: OwnSessions,
    private readonly links: SignInLinks,
    private readonly admission: Admission,
    private readonly failures: FailedAttempts,
    private readonly workspaces: Workspaces,
    private readonly decisions: Decisions,
  ) {}

  @Answers(sessions.session)
  async session(_: object, { session }: Asker) {
    return { ...(await this.admission.introduce(session)), version: VERSION };
  }

  @Answers(sessions.list)
  list(_: object, { session }: Asker) {
    return this.own.list(session);
  }

  @Answers(sessions.revoke)
  async revoke({ id }: InputOf<typeof sessions.revoke>, { session, meta }: Asker) {
    return written({ id }, await this.own.revoke(id, session, meta));
  }

  @Answers(sessions.revokeOthers)
  async revokeOthers(_: object, { session, meta }: Asker) {
    const { ended, position } = await this.own.revokeOthers(session, meta);
    return position === undefined ? { ended } : written({ ended }, position);
  }

  @Answers(auth.link)
  async signIn(
    { code }: InputOf<typeof auth.link>,
    _asker: Asker,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!(await this.links.isOpen(code))) return this.failures.refuse(callerAddress(request), denied());
    return this.admission.welcome(await this.links.redeem(code, visitOf(request)), reply);
  }

  @Answers(auth.logout)
  logout(input: object, asker: Asker, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.signOut(input, asker, reply);
  }

  @Answers(auth.signOut)
  async signOut(_: object, { session, meta }: Asker, @Res({ passthrough: true }) reply: FastifyReply) {
    const { position } = await this.decisions.execute(personDecider, new SignOut(session.person, {}, meta));
    await this.sessions.revoke(session.id);
    this.admission.farewell(reply);
    return written({}, position);
  }

  @Answers(auth.exists)
  async exists({ instance }: InputOf<typeof auth.exists>) {
    const workspace = await this.workspaces.find(instance);
    if (!workspace) throw notFound('instance');
    return { uuid: workspace.id, name: workspace.name };
  }
}
