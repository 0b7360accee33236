import { Module } from '@nestjs/common';
import { PeopleModule } from '../people';
import { WorkspacesModule } from '../workspaces';
import { Admission } from './admission';
import { FailedAttempts } from './failed-attempts';
import { OwnSessions } from './own-sessions';
import { SessionsController } from './sessions.controller';
import { SignInLinks } from './sign-in-links';

export { Admission, denied, visitOf, type SignedIn, type Visit } from './admission';
export { FailedAttempts } from './failed-attempts';
export { SignInLinks, type LinkRequest } from './sign-in-links';
export { signInLinkCommand } from './sign-in-link.command';

@Module({
  imports: [PeopleModule, WorkspacesModule],
  controllers: [SessionsController],
  providers: [Admission, FailedAttempts, OwnSessions, SignInLinks],
  exports: [Admission, FailedAttempts, SignInLinks],
})
export class SessionsModule {}
