import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { usePageTitle } from '../../ui/page-title';
import { paths } from '../../core/paths';
import styles from './Pages.module.css';
import { TextBlock } from '../../ui/Note';

/**
 * Shows the error that a page threw while rendering. With `framed` it is inside the frame of signed-in pages, which
 * already has the `main` landmark; otherwise it replaces everything. `ui/part.tsx` handles missing files instead.
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
      <TextBlock fz={13}>{cause}</TextBlock>
      <Button onClick={() => window.location.reload()}>Load again</Button>{' '}
      <Button component="a" href={paths.home()} variant="default">
        Back to home
      </Button>
    </Landmark>
  );
}
