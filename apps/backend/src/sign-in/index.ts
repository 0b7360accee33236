import { Module } from '@nestjs/common';
import { PeopleModule } from '../people';
import { SessionsModule } from '../sessions';
import { WorkspacesModule } from '../workspaces';
import { Accounts } from './accounts';
import { AccountsController } from './accounts.controller';
import { Attempts } from './attempts';
import { Identities } from './identities';
import { ProviderSignIn } from './provider-sign-in';
import { Providers } from './configured-providers';
import { RoundTrip } from './round-trip';
import { SignInController } from './sign-in.controller';

@Module({
  imports: [PeopleModule, SessionsModule, WorkspacesModule],
  controllers: [AccountsController, SignInController],
  providers: [Accounts, Attempts, Identities, ProviderSignIn, Providers, RoundTrip],
})
export class SignInModule {}
