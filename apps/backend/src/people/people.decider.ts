import type { EventData, EventsOf, FactorKind, ProofKind, Role } from '@quarterdeck/events';
import type { personEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type PersonEvent = EventsOf<typeof personEvents>;
const MAX_FACTORS = 20;

type Nothing = Record<never, never>;

/** Whether nobody else in the workspace is an administrator. Looked up under a lock (`roles.ts`). */
interface OfMembers {
  lastAdmin: boolean;
}

interface OfFactor {
  factor: string;
}

export interface PersonState {
  /** Role of a member. Removed people have none. */
  role?: Role;
  gone?: 'removed' | 'forgotten';
  /** Second factors, by id. */
  factors?: Readonly<Record<string, FactorKind>>;
  recoveryCodesLeft?: number;
}
type Member = PersonState & { role: Role };

const isMember = (state: PersonState): state is Member => state.role !== undefined;

const refuseUnknown = ({ role, gone }: PersonState): void => {
  if (role === undefined && gone === undefined) throw notFound('person');
};

/** A rule about members. Nobody else is found. */
const ofMember =
  <D>(rule: (data: D, member: Member) => readonly PersonEvent[]) =>
  (data: D, state: PersonState): readonly PersonEvent[] => {
    if (!isMember(state)) throw notFound('person');
    return rule(data, state);
  };

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

export class JoinWorkspace extends command('JoinWorkspace', { opens: true, idempotent: true })(
  (data: { role: Role }, { role, gone }: PersonState) => {
    if (gone === 'forgotten')
      throw new DomainError(
        'conflict',
        "this person's data was erased, so they cannot come back as the same person",
      );
    return role === undefined ? [{ type: 'PersonJoined', data }] : [];
  },
) {}

/** From the command line, which can also make and unmake superadministrators. */
export class ChangeRole extends command('ChangeRole', { idempotent: true })(
  ofMember((data: OfMembers & { role: Role }, { role }) => changedTo(data, role)),
) {}

/** From the console, by an administrator. */
export class AssignRole extends command('AssignRole', { idempotent: true })(
  ofMember((data: OfMembers & { role: Role }, { role }) => {
    refuseSuperadmin(role, data.role);
    return changedTo(data, role);
  }),
) {}

export class RemovePerson extends command('RemovePerson', { idempotent: true })(
  ({ lastAdmin }: OfMembers, state: PersonState) => {
    refuseUnknown(state);
    if (!isMember(state)) return [];
    refuseSuperadmin(state.role);
    refuseLastAdmin(state.role, lastAdmin);
    return [{ type: 'PersonRemoved', data: {} }];
  },
) {}

export class ForgetPerson extends command('ForgetPerson', { idempotent: true })(
  (_: Nothing, state: PersonState) => {
    refuseUnknown(state);
    if (isMember(state))
      throw new DomainError('conflict', "a member's data cannot be erased: remove the person first");
    return state.gone === 'forgotten' ? [] : [{ type: 'PersonForgotten', data: {} }];
  },
) {}

/** A rule of what members do themselves: it is only recorded. */
const recorded = <T extends PersonEvent['type']>(type: T) =>
  ofMember((data: EventData<T>) => [{ type, data } as Extract<PersonEvent, { type: T }>]);

export class RenamePerson extends command('RenamePerson')(recorded('PersonRenamed')) {}
export class IssueSignInLink extends command('IssueSignInLink')(recorded('SignInLinkIssued')) {}
export class ConnectAccount extends command('ConnectAccount')(recorded('AccountConnected')) {}
export class DisconnectAccount extends command('DisconnectAccount')(recorded('AccountDisconnected')) {}
export class SignIn extends command('SignIn')(recorded('PersonSignedIn')) {}
export class SignOut extends command('SignOut')(recorded('PersonSignedOut')) {}

const kindOf = (factor: string, { factors = {} }: PersonState): FactorKind => {
  const kind = factors[factor];
  if (!kind) throw notFound('second factor');
  return kind;
};
const countOf = ({ factors = {} }: PersonState): number => Object.keys(factors).length;

export class AddFactor extends command('AddFactor', { idempotent: true })(
  ofMember((data: EventData<'SecondFactorAdded'>, member) => {
    if (member.factors?.[data.factor]) return [];
    if (countOf(member) >= MAX_FACTORS)
      throw new DomainError(
        'conflict',
        `at most ${MAX_FACTORS} second factors are accepted: remove one first`,
      );
    return [{ type: 'SecondFactorAdded', data }];
  }),
) {}

export class RenameFactor extends command('RenameFactor')(
  ofMember(({ factor }: OfFactor, member) => [
    { type: 'SecondFactorRenamed', data: { factor, kind: kindOf(factor, member) } },
  ]),
) {}

/** `demanded`: the workspace demands a second factor. */
export class RemoveFactor extends command('RemoveFactor')(
  ofMember(({ factor, demanded }: OfFactor & { demanded: boolean }, member) => {
    const kind = kindOf(factor, member);
    if (demanded && countOf(member) === 1)
      throw new DomainError('conflict', 'this workspace needs a second factor: add another one first');
    return [{ type: 'SecondFactorRemoved', data: { factor, kind } }];
  }),
) {}

export class GiveFactor extends command('GiveFactor')(
  ofMember((data: { kind: ProofKind }, { recoveryCodesLeft: left = 0 }) => [
    { type: 'SecondFactorGiven', data },
    ...(data.kind === 'recovery'
      ? ([{ type: 'RecoveryCodeUsed', data: { left: Math.max(0, left - 1) } }] as const)
      : []),
  ]),
) {}

export class MakeRecoveryCodes extends command('MakeRecoveryCodes')(
  ofMember((data: { count: number }, member) => {
    if (countOf(member) === 0)
      throw new DomainError('conflict', 'recovery codes need a second factor: add one first');
    return [{ type: 'RecoveryCodesGenerated', data }];
  }),
) {}

/** By an administrator, or from the command line. `byCli`: also of a superadministrator. */
export class ResetFactors extends command('ResetFactors', { idempotent: true })(
  ofMember(({ byCli }: { byCli: boolean }, member) => {
    if (member.role === 'superadmin' && !byCli)
      throw new DomainError(
        'forbidden',
        'the second factor of a superadministrator is reset at the command line only',
      );
    return countOf(member) === 0 ? [] : [{ type: 'SecondFactorCleared', data: {} }];
  }),
) {}

const withoutFactors = ({ factors: _factors, recoveryCodesLeft: _left, ...rest }: PersonState): PersonState =>
  rest;

export const personDecider = deciderOf<PersonState, PersonEvent>()({
  category: 'person',
  commands: [
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
  ],
  initial: {},
  evolve: {
    PersonJoined: (_, { role }) => ({ role }),
    PersonRoleChanged: (state, { role }) => ({ ...state, role }),
    SecondFactorAdded: (state, { factor, kind }) => ({
      ...state,
      factors: { ...state.factors, [factor]: kind },
    }),
    SecondFactorRemoved: (state, { factor }) => {
      const { [factor]: _removed, ...factors } = state.factors ?? {};
      return Object.keys(factors).length === 0 ? withoutFactors(state) : { ...state, factors };
    },
    SecondFactorCleared: withoutFactors,
    RecoveryCodesGenerated: (state, { count }) => ({ ...state, recoveryCodesLeft: count }),
    RecoveryCodeUsed: (state, { left }) => ({ ...state, recoveryCodesLeft: left }),
    PersonRemoved: () => ({ gone: 'removed' }),
    PersonForgotten: () => ({ gone: 'forgotten' }),
  },
});
