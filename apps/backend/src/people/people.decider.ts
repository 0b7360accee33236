import type { EventsOf, Role, SignInProvider } from '@quarterdeck/events';
import type { personEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type PersonEvent = EventsOf<typeof personEvents>;
type Nothing = Record<never, never>;

/** Whether nobody else in the workspace is an administrator. Looked up under a lock (`roles.ts`). */
interface OfMembers {
  lastAdmin: boolean;
}

interface OfAccount {
  provider: SignInProvider;
}

export class JoinWorkspace extends command('JoinWorkspace', { opens: true, idempotent: true })<{
  role: Role;
}>() {}
/** From the command line, which can also make and unmake superadministrators. */
export class ChangeRole extends command('ChangeRole', { idempotent: true })<OfMembers & { role: Role }>() {}
/** From the console, by an administrator. */
export class AssignRole extends command('AssignRole', { idempotent: true })<OfMembers & { role: Role }>() {}
export class RemovePerson extends command('RemovePerson', { idempotent: true })<OfMembers>() {}
export class ForgetPerson extends command('ForgetPerson', { idempotent: true })<Nothing>() {}
export class RenamePerson extends command('RenamePerson')<Nothing>() {}
export class IssueSignInLink extends command('IssueSignInLink')<{ expiresAt: string }>() {}
export class ConnectAccount extends command('ConnectAccount')<OfAccount>() {}
export class DisconnectAccount extends command('DisconnectAccount')<OfAccount>() {}
export class SignIn extends command('SignIn')<{ via: string }>() {}
export class SignOut extends command('SignOut')<{ sessions?: number }>() {}

const personCommands = [
  JoinWorkspace,
  ChangeRole,
  AssignRole,
  RemovePerson,
  ForgetPerson,
  RenamePerson,
  ConnectAccount,
  DisconnectAccount,
  IssueSignInLink,
  SignIn,
  SignOut,
];
export type PersonCommand = CommandOf<typeof personCommands>;

export interface PersonState {
  /** Role of a member. Removed people have none. */
  role?: Role;
  gone?: 'removed' | 'forgotten';
}

const refuseSuperadmin = (...roles: Role[]): void => {
  if (roles.includes('superadmin'))
    throw new DomainError('forbidden', 'the role superadmin is given and taken at the command line only');
};

const refuseLastAdmin = (role: Role, lastAdmin: boolean): void => {
  if (role !== 'member' && lastAdmin)
    throw new DomainError(
      'conflict',
      'the workspace needs an administrator: make somebody else an administrator first',
    );
};

const changedTo = ({ role, lastAdmin }: OfMembers & { role: Role }, before: Role): PersonEvent[] => {
  if (role === 'member') refuseLastAdmin(before, lastAdmin);
  return role === before ? [] : [{ type: 'PersonRoleChanged', data: { role } }];
};

const join = (role: Role, state: PersonState): PersonEvent[] => {
  if (state.gone === 'forgotten')
    throw new DomainError(
      'conflict',
      "this person's data was erased, so they cannot come back as the same person",
    );
  return state.role === undefined ? [{ type: 'PersonJoined', data: { role } }] : [];
};

const forget = ({ role, gone }: PersonState): PersonEvent[] => {
  if (role !== undefined)
    throw new DomainError('conflict', "a member's data cannot be erased: remove the person first");
  return gone === 'forgotten' ? [] : [{ type: 'PersonForgotten', data: {} }];
};

const decideOnMember = (
  command: Exclude<PersonCommand, JoinWorkspace | ForgetPerson>,
  role: Role,
): PersonEvent[] => {
  switch (command.type) {
    case 'ChangeRole':
      return changedTo(command.data, role);
    case 'AssignRole':
      refuseSuperadmin(role, command.data.role);
      return changedTo(command.data, role);
    case 'RemovePerson':
      refuseSuperadmin(role);
      refuseLastAdmin(role, command.data.lastAdmin);
      return [{ type: 'PersonRemoved', data: {} }];
    case 'RenamePerson':
      return [{ type: 'PersonRenamed', data: {} }];
    case 'ConnectAccount':
      return [{ type: 'AccountConnected', data: command.data }];
    case 'DisconnectAccount':
      return [{ type: 'AccountDisconnected', data: command.data }];
    case 'IssueSignInLink':
      return [{ type: 'SignInLinkIssued', data: { expiresAt: command.data.expiresAt } }];
    case 'SignIn':
      return [{ type: 'PersonSignedIn', data: { via: command.data.via } }];
    case 'SignOut':
      return [{ type: 'PersonSignedOut', data: command.data }];
  }
};

export const personDecider: Decider<PersonState, PersonCommand, PersonEvent> = {
  category: 'person',
  commands: personCommands,
  initial: {},
  decide: (command, state) => {
    if (command.type === 'JoinWorkspace') return join(command.data.role, state);
    if (state.role === undefined && state.gone === undefined) throw notFound('person');
    if (command.type === 'ForgetPerson') return forget(state);
    if (state.role !== undefined) return decideOnMember(command, state.role);
    if (command.type === 'RemovePerson') return [];
    throw notFound('person');
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'PersonJoined':
      case 'PersonRoleChanged':
        return { role: event.data.role };
      case 'PersonRemoved':
        return { gone: 'removed' };
      case 'PersonForgotten':
        return { gone: 'forgotten' };
      default:
        return state;
    }
  },
};
