import type { EventData, EventsOf, FactorKind, ProofKind, Role, SignInProvider } from '@quarterdeck/events';
import type { personEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type PersonEvent = EventsOf<typeof personEvents>;
const MAX_FACTORS = 20;

type Nothing = Record<never, never>;

/** Whether nobody else in the workspace is an administrator. Looked up under a lock (`roles.ts`). */
interface OfMembers {
  lastAdmin: boolean;
}

interface OfAccount {
  provider: SignInProvider;
}

interface OfFactor {
  factor: string;
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
export class AddFactor extends command('AddFactor', { idempotent: true })<EventData<'SecondFactorAdded'>>() {}
export class RenameFactor extends command('RenameFactor')<OfFactor>() {}
/** `demanded`: the workspace demands a second factor. */
export class RemoveFactor extends command('RemoveFactor')<OfFactor & { demanded: boolean }>() {}
export class GiveFactor extends command('GiveFactor')<{ kind: ProofKind }>() {}
export class MakeRecoveryCodes extends command('MakeRecoveryCodes')<{ count: number }>() {}
/** By an administrator, or from the command line. `byCli`: also of a superadministrator. */
export class ResetFactors extends command('ResetFactors', { idempotent: true })<{ byCli: boolean }>() {}

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
  AddFactor,
  RenameFactor,
  RemoveFactor,
  GiveFactor,
  MakeRecoveryCodes,
  ResetFactors,
];
export type PersonCommand = CommandOf<typeof personCommands>;

export interface PersonState {
  /** Role of a member. Removed people have none. */
  role?: Role;
  gone?: 'removed' | 'forgotten';
  /** Second factors, by id. */
  factors?: Readonly<Record<string, FactorKind>>;
  recoveryCodesLeft?: number;
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

const decideOnFactors = (
  command: AddFactor | RenameFactor | RemoveFactor | GiveFactor | MakeRecoveryCodes | ResetFactors,
  { role, factors = {}, recoveryCodesLeft: left = 0 }: PersonState & { role: Role },
): PersonEvent[] => {
  const kindOf = (factor: string): FactorKind => {
    const kind = factors[factor];
    if (!kind) throw notFound('second factor');
    return kind;
  };
  const count = Object.keys(factors).length;
  switch (command.type) {
    case 'AddFactor':
      if (factors[command.data.factor]) return [];
      if (count >= MAX_FACTORS)
        throw new DomainError(
          'conflict',
          `at most ${MAX_FACTORS} second factors are accepted: remove one first`,
        );
      return [{ type: 'SecondFactorAdded', data: command.data }];
    case 'RenameFactor': {
      const { factor } = command.data;
      return [{ type: 'SecondFactorRenamed', data: { factor, kind: kindOf(factor) } }];
    }
    case 'RemoveFactor': {
      const { factor, demanded } = command.data;
      const kind = kindOf(factor);
      if (demanded && count === 1)
        throw new DomainError('conflict', 'this workspace needs a second factor: add another one first');
      return [{ type: 'SecondFactorRemoved', data: { factor, kind } }];
    }
    case 'GiveFactor':
      if (command.data.kind !== 'recovery') return [{ type: 'SecondFactorGiven', data: command.data }];
      return [
        { type: 'SecondFactorGiven', data: command.data },
        { type: 'RecoveryCodeUsed', data: { left: Math.max(0, left - 1) } },
      ];
    case 'MakeRecoveryCodes':
      if (count === 0)
        throw new DomainError('conflict', 'recovery codes need a second factor: add one first');
      return [{ type: 'RecoveryCodesGenerated', data: command.data }];
    case 'ResetFactors':
      if (role === 'superadmin' && !command.data.byCli)
        throw new DomainError(
          'forbidden',
          'the second factor of a superadministrator is reset at the command line only',
        );
      return count === 0 ? [] : [{ type: 'SecondFactorCleared', data: {} }];
  }
};

const decideOnMember = (
  command: Exclude<PersonCommand, JoinWorkspace | ForgetPerson>,
  state: PersonState & { role: Role },
): PersonEvent[] => {
  const { role } = state;
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
    default:
      return decideOnFactors(command, state);
  }
};

const withoutFactors = ({ factors: _factors, recoveryCodesLeft: _left, ...rest }: PersonState): PersonState =>
  rest;

export const personDecider: Decider<PersonState, PersonCommand, PersonEvent> = {
  category: 'person',
  commands: personCommands,
  initial: {},
  decide: (command, state) => {
    if (command.type === 'JoinWorkspace') return join(command.data.role, state);
    if (state.role === undefined && state.gone === undefined) throw notFound('person');
    if (command.type === 'ForgetPerson') return forget(state);
    const { role } = state;
    if (role !== undefined) return decideOnMember(command, { ...state, role });
    if (command.type === 'RemovePerson') return [];
    throw notFound('person');
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'PersonJoined':
        return { role: event.data.role };
      case 'PersonRoleChanged':
        return { ...state, role: event.data.role };
      case 'SecondFactorAdded':
        return { ...state, factors: { ...state.factors, [event.data.factor]: event.data.kind } };
      case 'SecondFactorRemoved': {
        const { [event.data.factor]: _removed, ...factors } = state.factors ?? {};
        const isLast = Object.keys(factors).length === 0;
        return isLast ? withoutFactors(state) : { ...state, factors };
      }
      case 'SecondFactorCleared':
        return withoutFactors(state);
      case 'RecoveryCodesGenerated':
        return { ...state, recoveryCodesLeft: event.data.count };
      case 'RecoveryCodeUsed':
        return { ...state, recoveryCodesLeft: event.data.left };
      case 'PersonRemoved':
        return { gone: 'removed' };
      case 'PersonForgotten':
        return { gone: 'forgotten' };
      default:
        return state;
    }
  },
};
