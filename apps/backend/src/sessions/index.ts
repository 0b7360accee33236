import { Module } from '@nestjs/common';
import { PeopleModule } from '../people';
import { WorkspacesModule } from '../workspaces';
import { SessionsController } from './sessions.controller';
import { SignInLinks } from './sign-in-links';

export { SignInLinks, type LinkRequest } from './sign-in-links';
export { signInLinkCommand } from './sign-in-link.command';

@Module({
  imports: [PeopleModule, WorkspacesModule],
  controllers: [SessionsController],
  providers: [SignInLinks],
  exports: [SignInLinks],
})
export class SessionsModule {}
