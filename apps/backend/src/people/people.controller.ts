import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { byId, nothing, personName, personRole } from '@quarterdeck/events/inputs';
import type { PersonView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { done } from '../platform/answers';
import type { CommandMeta, Session } from '../platform/session';
import { valid } from '../platform/validation';
import { Members } from './members';

@Controller('person')
export class PeopleController {
  constructor(@Inject(Members) private readonly members: Members) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', { summary: 'The people of the workspace, and those who were', receipt: false, past: true })
  list(@Body(valid(nothing)) _input: object, @CurrentSession() session: Session): Promise<PersonView[]> {
    return this.members.list(session.workspace);
  }

  @Post('role')
  @HttpCode(200)
  @Access('admin', { summary: 'Makes a member an administrator, or an administrator a member' })
  async role(@Body(valid(personRole)) { id, role }: z.infer<typeof personRole>, @Meta() meta: CommandMeta) {
    return done(await this.members.assign(id, role, meta));
  }

  @Post('remove')
  @HttpCode(200)
  @Access('admin', { summary: 'Removes a member: his sessions end, what he made stays' })
  async remove(@Body(valid(byId)) { id }: z.infer<typeof byId>, @Meta() meta: CommandMeta) {
    return done(await this.members.remove(id, meta));
  }

  @Post('forget')
  @HttpCode(200)
  @Access('admin', { summary: 'Takes name, e-mail and accounts of a former member out of every record' })
  async forget(@Body(valid(byId)) { id }: z.infer<typeof byId>, @Meta() meta: CommandMeta) {
    return done(await this.members.forget(id, meta));
  }

  @Post('sign-out')
  @HttpCode(200)
  @Access('admin', { summary: 'Ends every session of a member' })
  async signOut(@Body(valid(byId)) { id }: z.infer<typeof byId>, @Meta() meta: CommandMeta) {
    return done(await this.members.signOut(id, meta));
  }

  @Post('rename')
  @HttpCode(200)
  @Access('member', { summary: 'How one is called oneself' })
  async rename(
    @Body(valid(personName)) { name }: z.infer<typeof personName>,
    @CurrentSession() { person }: Session,
    @Meta() meta: CommandMeta,
  ) {
    return done(await this.members.rename(person, name, meta));
  }
}
