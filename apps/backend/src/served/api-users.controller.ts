import { Controller } from '@nestjs/common';
import { apiInstances as calls, type InputOf } from '@quarterdeck/contract';
import { Answers, done, type Asker } from '../platform/http';
import { ApiUsers } from './api-users';

@Controller()
export class ApiUsersController {
  constructor(private readonly users: ApiUsers) {}

  @Answers(calls.listUsers)
  list(input: InputOf<typeof calls.listUsers>, { meta }: Asker) {
    return this.users.list(input, meta);
  }

  @Answers(calls.lockUser)
  async lock({ isLocked, ...of }: InputOf<typeof calls.lockUser>, { meta }: Asker) {
    return done(await this.users.change(of, { is: isLocked ? 'lock' : 'unlock' }, meta));
  }

  @Answers(calls.signOutUser)
  async signOut(of: InputOf<typeof calls.signOutUser>, { meta }: Asker) {
    return done(await this.users.change(of, { is: 'signOut' }, meta));
  }

  @Answers(calls.permitUser)
  async permit({ permission, ...of }: InputOf<typeof calls.permitUser>, { meta }: Asker) {
    return done(await this.users.change(of, { is: 'permit', permission }, meta));
  }

  @Answers(calls.deleteUser)
  async deleteUser(of: InputOf<typeof calls.deleteUser>, { meta }: Asker) {
    return done(await this.users.change(of, { is: 'delete' }, meta));
  }

  @Answers(calls.delete)
  async removeInstance(input: InputOf<typeof calls.delete>, { meta }: Asker) {
    return done(await this.users.removeInstance(input, meta));
  }
}
