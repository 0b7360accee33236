import { Controller } from '@nestjs/common';
import { accounts, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, written } from '../platform/http';
import { Accounts } from './accounts';
import { Providers } from './configured-providers';

@Controller()
export class AccountsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly providers: Providers,
  ) {}

  @Answers(accounts.list)
  list(_: object, { session }: Asker) {
    return this.accounts.list(session);
  }

  @Answers(accounts.connect)
  async connect({ provider }: InputOf<typeof accounts.connect>, { session }: Asker) {
    return { url: await this.accounts.begin(this.providers.named(provider), session) };
  }

  @Answers(accounts.connected)
  async connected({ provider, ...callback }: InputOf<typeof accounts.connected>, { session, meta }: Asker) {
    const position = await this.accounts.connect(this.providers.named(provider), callback, session, meta);
    return written({ provider }, position);
  }

  @Answers(accounts.disconnect)
  async disconnect({ provider }: InputOf<typeof accounts.disconnect>, { session, meta }: Asker) {
    return written({ provider }, await this.accounts.disconnect(provider, session, meta));
  }
}
