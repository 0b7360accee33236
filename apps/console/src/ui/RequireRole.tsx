import type { Role } from '@quarterdeck/events';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSession } from '../core/session';
import { ToHome } from './AreaRoutes';
import { CopyText } from './CopyText';
import { EmptyState } from './EmptyState';

const titles: Record<Role, string> = {
  member: 'Members only',
  admin: 'Administrators only',
  superadmin: 'Superadministrators only',
};

const GRANT = 'npm run sign-in-link -- --role superadmin --workspace … --email …';

const advice: Record<Role, ReactNode> = {
  member: 'An administrator of the workspace can invite you.',
  admin: 'An administrator of your workspace can give you this role.',
  superadmin: (
    <>
      To get this role, run on the console&apos;s machine:{' '}
      <CopyText value={GRANT} mono>
        {GRANT}
      </CopyText>
    </>
  ),
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
