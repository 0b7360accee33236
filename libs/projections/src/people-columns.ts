/** Names of people and roles, and columns for searching, filtering and sorting lists of people. Pure. */
import type { Role } from '@quarterdeck/events';
import type { ListColumn } from './listing';
import type { PersonView } from './people';

/**
 * Everybody has a name or an e-mail until they are forgotten, which also applies to pages about the past. The end of
 * the id then distinguishes forgotten people from each other.
 */
export const personName = ({ id, name, email }: Pick<PersonView, 'id' | 'name' | 'email'>): string =>
  name ?? email ?? `Former member (${id.slice(-4)})`;

export const roleWords: Record<Role, string> = {
  member: 'Member',
  admin: 'Administrator',
  superadmin: 'Superadministrator',
};

const common = [
  { id: 'name', value: personName },
  { id: 'email', value: ({ email }) => email },
  { id: 'role', value: ({ role }) => roleWords[role], filter: 'category' },
] as const satisfies ListColumn<PersonView>[];

export const memberColumns = [
  ...common,
  { id: 'joined', value: ({ joinedAt }) => joinedAt, unsearched: true },
  { id: 'signedIn', value: ({ lastSignInAt }) => lastSignInAt, unsearched: true },
  {
    id: 'secondFactor',
    value: ({ secondFactors }) => (secondFactors.length > 0 ? 'Yes' : 'No'),
    filter: 'category',
    unsearched: true,
  },
  { id: 'sessions', value: ({ sessions = 0 }) => sessions, unsearched: true },
] as const satisfies ListColumn<PersonView>[];

export const formerColumns = [
  ...common,
  { id: 'removed', value: ({ removedAt }) => removedAt, unsearched: true },
  { id: 'forgotten', value: ({ forgottenAt }) => forgottenAt, unsearched: true },
] as const satisfies ListColumn<PersonView>[];

/** Marks the administrator of a workspace if there is only one. */
export const withLastAdmin = (people: readonly PersonView[]): PersonView[] => {
  const admins = people.filter(({ role, removedAt }) => removedAt === undefined && role !== 'member');
  const [only] = admins.length === 1 ? admins : [];
  return people.map((person) => (person === only ? { ...person, lastAdmin: true } : person));
};
