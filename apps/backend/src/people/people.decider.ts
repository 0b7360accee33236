import type { EventsOf, Role } from '@quarterdeck/events';
import type { personEvents } from '@quarterdeck/events/catalogue';
import { command, type Decider } from '../platform/decider';
import { notFound } from '../platform/errors';

type PersonEvent = EventsOf<typeof personEvents>;

export class JoinWorkspace extends command<'JoinWorkspace', { role: Role }>('JoinWorkspace') {}
export class ChangeRole extends command<'ChangeRole', { role: Role }>('ChangeRole') {}
export class IssueSignInLink extends command<'IssueSignInLink', { expiresAt: string }>('IssueSignInLink') {}
export class SignIn extends command<'SignIn', { via: string }>('SignIn') {}
export class SignOut extends command<'SignOut', Record<never, never>>('SignOut') {}

export type PersonCommand = JoinWorkspace | ChangeRole | IssueSignInLink | SignIn | SignOut;

export interface PersonState {
  role?: Role;
}

const decideOnMember = (
  command: Exclude<PersonCommand, JoinWorkspace>,
  state: PersonState,
): PersonEvent[] => {
  switch (command.type) {
    case 'ChangeRole':
      return command.data.role === state.role
        ? []
        : [{ type: 'PersonRoleChanged', data: { role: command.data.role } }];
    case 'IssueSignInLink':
      return [{ type: 'SignInLinkIssued', data: { expiresAt: command.data.expiresAt } }];
    case 'SignIn':
      return [{ type: 'PersonSignedIn', data: { via: command.data.via } }];
    case 'SignOut':
      return [{ type: 'PersonSignedOut', data: {} }];
  }
};

export const personDecider: Decider<PersonState, PersonCommand, PersonEvent> = {
  category: 'person',
  initial: {},
  opens: ['JoinWorkspace'],
  idempotent: ['JoinWorkspace', 'ChangeRole'],
  decide: (command, state) => {
    if (command.type === 'JoinWorkspace')
      return state.role === undefined ? [{ type: 'PersonJoined', data: { role: command.data.role } }] : [];
    if (state.role === undefined) throw notFound('person');
    return decideOnMember(command, state);
  },
  evolve: (state, event) =>
    event.type === 'PersonJoined' || event.type === 'PersonRoleChanged' ? { role: event.data.role } : state,
};
