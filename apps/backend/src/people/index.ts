import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials';
import { WorkspacesModule } from '../workspaces';
import { Factors } from './factors';
import { Invitations } from './invitations';
import { InvitationsController } from './invitations.controller';
import { Members } from './members';
import { NoticesController } from './notices.controller';
import { People } from './people';
import { PeopleController } from './people.controller';
import { Roles } from './roles';
import { SessionRoles } from './session-roles';

export { type FactorRow, Factors } from './factors';
export {
  Invitations,
  provenEmail,
  recordOf,
  type Accepted,
  type AcceptanceIds,
  type Along,
  type ProviderIdentity,
} from './invitations';
export { whenForgotten } from './members';
export { People } from './people';
export {
  AddFactor,
  ConnectAccount,
  DisconnectAccount,
  GiveFactor,
  IssueSignInLink,
  MakeRecoveryCodes,
  personDecider,
  RemoveFactor,
  RenameFactor,
  SignIn,
  SignOut,
} from './people.decider';
export { Roles } from './roles';
export { SessionRoles } from './session-roles';

@Module({
  imports: [CredentialsModule, WorkspacesModule],
  controllers: [PeopleController, InvitationsController, NoticesController],
  providers: [Factors, Invitations, Members, People, Roles, SessionRoles],
  exports: [Factors, Invitations, People],
})
export class PeopleModule {}
