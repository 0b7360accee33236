import type { Role } from '@quarterdeck/events';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSession } from '../core/session';
import { ToHome } from './AreaRoutes';
import { EmptyState } from './EmptyState';

/** The server refuses those who may not anyway; this only says so before they meet its refusal. */
export function RequireRole({ least, children }: { least: Role; children: ReactNode }) {
  const { can } = useSession();
  if (can(least)) return children;
  return (
    <EmptyState page icon={IconLock} title={`Only for the role ${least}`} action={<ToHome />}>
      An administrator of your workspace can give you this role.
    </EmptyState>
  );
}
