/** The signed-in person and their permissions, for every page under /app. */
import type { Role } from '@quarterdeck/events';
import { useAppSelector } from './hooks';
import type { Profile, SessionValue } from './session-state';

export interface Session extends SessionValue {
  profile: Profile;
  /** Whether the signed-in person has at least this role. The server decides; the page only shows it. */
  can: (role: Role) => boolean;
}

const rank: Record<Role, number> = { member: 0, admin: 1, superadmin: 2 };

export const allows = (permissions: readonly string[], role: Role): boolean =>
  role === 'member' || permissions.some((held) => rank[held as Role] >= rank[role]);

export const useSession = (): Session => {
  const value = useAppSelector((state) => state.session.value);
  if (!value) throw new Error('profile undefined');
  return { ...value, can: (role) => allows(value.permissions, role) };
};

export const profileName = ({ firstName, lastName, email }: Profile): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email || 'No name given';
