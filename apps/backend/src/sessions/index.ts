import { Module } from '@nestjs/common';
import { PeopleModule } from '../people';
import { WorkspacesModule } from '../workspaces';
import { Admission } from './admission';
import { OwnSessions } from './own-sessions';
import { SessionsController } from './sessions.controller';
import { SignInLinks } from './sign-in-links';

export { Admission, denied, visitOf, type SignedIn, type Visit } from './admission';
export { SignInLinks, type LinkRequest } from './sign-in-links';
export { signInLinkCommand } from './sign-in-link.command';

@Module({
  imports: [PeopleModule, WorkspacesModule],
  controllers: [SessionsController],
  providers: [Admission, OwnSessions, SignInLinks],
  exports: [Admission, SignInLinks],
})
export class SessionsModule {}
