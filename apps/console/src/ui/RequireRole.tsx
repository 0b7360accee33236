import type { Role } from '@quarterdeck/events';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSession } from '../core/session';
import { ToHome } from './AreaRoutes';
import { EmptyState } from './EmptyState';

const titles: Record<Role, string> = {
  member: 'Members only',
  admin: 'Administrators only',
  superadmin: 'Superadministrators only',
};

const advice: Record<Role, string> = {
  member: 'An administrator of the workspace can invite you.',
  admin: 'An administrator of your workspace can give you this role.',
  superadmin:
    'This role is given on the machine of the console: npm run sign-in-link -- --role superadmin --workspace … --email …',
};

/** The server enforces roles; this only explains a missing role up front. */
export function RequireRole({ least, children }: { least: Role; children: ReactNode }) {
  const { can } = useSession();
  if (can(least)) return children;
  return (
    <EmptyState page icon={IconLock} title={titles[least]} action={<ToHome />}>
      {advice[least]}
    </EmptyState>
  );
}
