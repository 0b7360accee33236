import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { usePageTitle } from '../../ui/page-title';
import { paths } from '../../core/paths';
import styles from './Pages.module.css';

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
      <p>This page could not be displayed. Your saved changes are not affected.</p>
      <pre className={styles.cause}>{cause}</pre>
      <Button onClick={() => window.location.reload()}>Load again</Button>{' '}
      <Button component="a" href={paths.home()} variant="default">
        Back to home
      </Button>
    </Landmark>
  );
}
