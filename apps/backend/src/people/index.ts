import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials';
import { WorkspacesModule } from '../workspaces';
import { Invitations } from './invitations';
import { InvitationsController } from './invitations.controller';
import { Members } from './members';
import { People } from './people';
import { PeopleController } from './people.controller';

export {
  Invitations,
  provenEmail,
  recordOf,
  type Accepted,
  type AcceptanceIds,
  type ProviderIdentity,
} from './invitations';
export { People } from './people';
export { IssueSignInLink, personDecider, SignIn, SignOut } from './people.decider';

@Module({
  imports: [CredentialsModule, WorkspacesModule],
  controllers: [PeopleController, InvitationsController],
  providers: [Invitations, Members, People],
  exports: [Invitations, People],
})
export class PeopleModule {}
