import { Controller } from '@nestjs/common';
import { apiInstances, apiUsers as users, type InputOf } from '@quarterdeck/contract';
import { Answers, done, type Asker } from '../platform/http';
import { ApiUsers } from './api-users';

@Controller()
export class ApiUsersController {
  constructor(private readonly work: ApiUsers) {}

  @Answers(users.list)
  list(input: InputOf<typeof users.list>, { meta }: Asker) {
    return this.work.list(input, meta);
  }

  @Answers(users.lock)
  async lock({ isLocked, ...of }: InputOf<typeof users.lock>, { meta }: Asker) {
    return done(await this.work.change(of, { is: isLocked ? 'lock' : 'unlock' }, meta));
  }

  @Answers(users.signOut)
  async signOut(of: InputOf<typeof users.signOut>, { meta }: Asker) {
    return done(await this.work.change(of, { is: 'signOut' }, meta));
  }

  @Answers(users.permit)
  async permit({ permission, ...of }: InputOf<typeof users.permit>, { meta }: Asker) {
    return done(await this.work.change(of, { is: 'permit', permission }, meta));
  }

  @Answers(users.delete)
  async deleteUser(of: InputOf<typeof users.delete>, { meta }: Asker) {
    return done(await this.work.change(of, { is: 'delete' }, meta));
  }

  @Answers(apiInstances.delete)
  async removeInstance(input: InputOf<typeof apiInstances.delete>, { meta }: Asker) {
    return done(await this.work.removeInstance(input, meta));
  }
}
