import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import type { Role } from '@quarterdeck/events';
import { useRouteError } from 'react-router';
import { ToHome } from '../../ui/AreaRoutes';
import { EmptyState } from '../../ui/EmptyState';
import { usePageTitle } from '../../ui/page-title';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import styles from './Pages.module.css';

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

/**
 * Shows what a page threw while it was drawn. Inside the frame of signed-in pages, which has the landmark already, or
 * instead of everything. Files that do not arrive are no error: see `ui/part.tsx`.
 */
export function RouterError({ framed = false }: { framed?: boolean }) {
  const Landmark = framed ? 'div' : 'main';
  const error = useRouteError();
  usePageTitle('Unexpected Application Error!');
  useEffect(() => console.error('Unexpected Application Error!', error), [error]);
  const cause = error instanceof Error ? error.message : String(error);
  return (
    <Landmark className={styles.outside}>
      <h1>Unexpected Application Error!</h1>
      <p>This page failed while it was drawn. What you changed on other pages is saved.</p>
      <pre className={styles.cause}>{cause}</pre>
      <Button onClick={() => window.location.reload()}>Load again</Button>{' '}
      <Button component="a" href={paths.home()} variant="default">
        Back to home
      </Button>
    </Landmark>
  );
}
