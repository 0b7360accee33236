import { Controller, Req } from '@nestjs/common';
import { invitations, type InputOf } from '@quarterdeck/contract';
import type { FastifyRequest } from 'fastify';
import { callerAddress } from '../platform/caller-address';
import { Answers, type Asker, done, written } from '../platform/http';
import { notFound } from '../platform/errors';
import { FailedAttempts } from '../platform/sessions';
import { Workspaces } from '../workspaces';
import { Invitations } from './invitations';

@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly workspaces: Workspaces,
    private readonly failures: FailedAttempts,
  ) {}

  @Answers(invitations.list)
  list(_: object, { session }: Asker) {
    return this.invitations.list(session.workspace);
  }

  // The answer may contain the code of a link, which is not stored anywhere.
  @Answers(invitations.insert)
  async insert(input: InputOf<typeof invitations.insert>, { meta }: Asker) {
    const { id, position, code } = await this.invitations.issue(input, meta);
    return written({ id, uuid: id, ...(code ? { code } : {}) }, position);
  }

  @Answers(invitations.withdraw)
  async withdraw({ id }: InputOf<typeof invitations.withdraw>, { meta }: Asker) {
    const { position } = await this.invitations.withdraw(id, meta);
    return done({ id, position });
  }

  @Answers(invitations.look)
  async look({ code }: InputOf<typeof invitations.look>, _asker: Asker, @Req() request: FastifyRequest) {
    if (!(await this.invitations.hasLink(code)))
      return this.failures.refuse(callerAddress(request), notFound('invitation'));
    const { workspace, role, expiresAt } = await this.invitations.look(code);
    const found = await this.workspaces.byId(workspace);
    if (!found) throw notFound('invitation');
    return { instance: { uuid: found.id, name: found.name }, role, expiresAt };
  }
}
