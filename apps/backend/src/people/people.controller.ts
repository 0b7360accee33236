import { Controller } from '@nestjs/common';
import { people, type InputOf } from '@quarterdeck/contract';
import { formerColumns, memberColumns, pageOf } from '@quarterdeck/projections';
import { notFound } from '../platform/errors';
import { Answers, type Asker, done } from '../platform/http';
import { demandFreshProof } from '../platform/sessions';
import { Members } from './members';

@Controller()
export class PeopleController {
  constructor(private readonly members: Members) {}

  @Answers(people.list)
  list(_: object, { session }: Asker) {
    return this.members.list(session.workspace);
  }

  @Answers(people.names)
  names(_: object, { session }: Asker) {
    return this.members.names(session.workspace);
  }

  @Answers(people.page)
  async page({ former, ...asked }: InputOf<typeof people.page>, { session }: Asker) {
    const everybody = await this.members.list(session.workspace);
    const rows = everybody.filter(
      ({ removedAt }) => former === undefined || former === (removedAt !== undefined),
    );
    return pageOf(rows, former ? formerColumns : memberColumns, asked);
  }

  @Answers(people.detail)
  async detail({ id }: InputOf<typeof people.detail>, { session }: Asker) {
    const person = (await this.members.list(session.workspace)).find((one) => one.id === id);
    if (!person) throw notFound('person');
    return person;
  }

  @Answers(people.role)
  async role({ id, role }: InputOf<typeof people.role>, { meta }: Asker) {
    return done(await this.members.assign(id, role, meta));
  }

  @Answers(people.remove)
  async remove({ id }: InputOf<typeof people.remove>, { meta }: Asker) {
    return done(await this.members.remove(id, meta));
  }

  @Answers(people.forget)
  async forget({ id }: InputOf<typeof people.forget>, { meta }: Asker) {
    return done(await this.members.forget(id, meta));
  }

  @Answers(people.signOut)
  async signOut({ id }: InputOf<typeof people.signOut>, { meta }: Asker) {
    return done(await this.members.signOut(id, meta));
  }

  @Answers(people.resetSecondFactor)
  async resetSecondFactor({ id }: InputOf<typeof people.resetSecondFactor>, { session, meta }: Asker) {
    demandFreshProof(session, meta);
    return done(await this.members.resetFactors(id, meta));
  }

  @Answers(people.rename)
  async rename({ name }: InputOf<typeof people.rename>, { session: { person }, meta }: Asker) {
    return done(await this.members.rename(person, name, meta));
  }
}
