import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { byId, invitationCode, invitationInsert, nothing } from '@quarterdeck/events/inputs';
import type { InvitationView } from '@quarterdeck/projections';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { done, written } from '../platform/answers';
import { notFound } from '../platform/errors';
import { FailedAttempts } from '../platform/failed-attempts';
import type { CommandMeta, Session } from '../platform/session';
import { valid } from '../platform/validation';
import { Workspaces } from '../workspaces';
import { Invitations } from './invitations';

@Controller('invitation')
export class InvitationsController {
  constructor(
    @Inject(Invitations) private readonly invitations: Invitations,
    @Inject(Workspaces) private readonly workspaces: Workspaces,
    @Inject(FailedAttempts) private readonly failures: FailedAttempts,
  ) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', { summary: 'The invitations that are open', receipt: false, past: true })
  list(@Body(valid(nothing)) _input: object, @CurrentSession() session: Session): Promise<InvitationView[]> {
    return this.invitations.list(session.workspace);
  }

  // The answer may hold the code of a link, which is kept nowhere.
  @Post('insert')
  @HttpCode(200)
  @Access('admin', { summary: 'Invites a GitHub login, an e-mail, or whoever has the link', receipt: false })
  async insert(
    @Body(valid(invitationInsert)) input: z.infer<typeof invitationInsert>,
    @Meta() meta: CommandMeta,
  ) {
    const { id, position, code } = await this.invitations.issue(input, meta);
    return written({ id, uuid: id, ...(code ? { code } : {}) }, position);
  }

  @Post('withdraw')
  @HttpCode(200)
  @Access('admin', { summary: 'Withdraws an invitation: nobody can accept it any more' })
  async withdraw(@Body(valid(byId)) { id }: z.infer<typeof byId>, @Meta() meta: CommandMeta) {
    const { position } = await this.invitations.withdraw(id, meta);
    return done({ id, position });
  }

  @Post('look')
  @HttpCode(200)
  @Access('public', { summary: 'To what the code of a link invites, and as what', receipt: false })
  look(
    @Body(valid(invitationCode)) { code }: z.infer<typeof invitationCode>,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    return this.failures.counting(request.ip, async () => {
      const { workspace, role, expiresAt } = await this.invitations.look(code);
      const found = await this.workspaces.byId(workspace);
      if (!found) throw notFound('invitation');
      return { instance: { uuid: found.id, name: found.name }, role, expiresAt };
    });
  }
}
