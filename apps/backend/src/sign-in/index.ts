import { Module } from '@nestjs/common';
import { PeopleModule } from '../people';
import { SessionsModule } from '../sessions';
import { WorkspacesModule } from '../workspaces';
import { Attempts } from './attempts';
import { Identities } from './identities';
import { ProviderSignIn } from './provider-sign-in';
import { Providers } from './providers';
import { SignInController } from './sign-in.controller';

@Module({
  imports: [PeopleModule, SessionsModule, WorkspacesModule],
  controllers: [SignInController],
  providers: [Attempts, Identities, ProviderSignIn, Providers],
})
export class SignInModule {}
