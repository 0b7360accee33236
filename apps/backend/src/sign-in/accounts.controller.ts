import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import type { AccountView } from '@quarterdeck/events';
import { accountConnected, accountOf, nothing } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { written } from '../platform/answers';
import type { CommandMeta, Session } from '../platform/session';
import { valid } from '../platform/validation';
import { Accounts } from './accounts';
import { Providers } from './providers';

@Controller('account')
export class AccountsController {
  constructor(
    @Inject(Accounts) private readonly accounts: Accounts,
    @Inject(Providers) private readonly providers: Providers,
  ) {}

  @Post('list')
  @HttpCode(200)
  @Access('member', { summary: 'The accounts at providers by which one signs in oneself', receipt: false })
  list(@Body(valid(nothing)) _input: object, @CurrentSession() session: Session): Promise<AccountView[]> {
    return this.accounts.list(session);
  }

  @Post('connect')
  @HttpCode(200)
  @Access('member', {
    summary: 'Where the browser goes to show that another account is one’s own',
    receipt: false,
  })
  async connect(
    @Body(valid(accountOf)) { provider }: z.infer<typeof accountOf>,
    @CurrentSession() session: Session,
  ): Promise<{ url: string }> {
    return { url: await this.accounts.begin(this.providers.named(provider), session) };
  }

  @Post('connected')
  @HttpCode(200)
  @Access('member', { summary: 'Connects the account with what the provider sent the browser back with' })
  async connected(
    @Body(valid(accountConnected)) { provider, ...callback }: z.infer<typeof accountConnected>,
    @CurrentSession() session: Session,
    @Meta() meta: CommandMeta,
  ) {
    const position = await this.accounts.connect(this.providers.named(provider), callback, session, meta);
    return written({ provider }, position);
  }

  @Post('disconnect')
  @HttpCode(200)
  @Access('member', { summary: 'One signs in by this account no more; the last one stays' })
  async disconnect(
    @Body(valid(accountOf)) { provider }: z.infer<typeof accountOf>,
    @CurrentSession() session: Session,
    @Meta() meta: CommandMeta,
  ) {
    return written({ provider }, await this.accounts.disconnect(provider, session, meta));
  }
}
