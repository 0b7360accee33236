import { Button } from '@mantine/core';
import { IconAnchor } from '@tabler/icons-react';
import { Link } from 'react-router';
import { usePageTitle } from '../../ui/page-title';
import { useAppSelector } from '../../core/hooks';
import { paths } from '../../core/paths';
import styles from './Pages.module.css';

export default function Landing() {
  usePageTitle('Welcome');
  const signedIn = useAppSelector((state) => state.session.value !== undefined);
  return (
    <main className={styles.outside}>
      <IconAnchor size={32} stroke={1.5} aria-hidden />
      <h1>Quarterdeck</h1>
      <p>An operator console for servers, domains, certificates and deploys. Every change is recorded.</p>
      {signedIn ? (
        <Button component={Link} to={paths.home()}>
          Open the console
        </Button>
      ) : (
        <Button component={Link} to={paths.login()}>
          Sign in
        </Button>
      )}
    </main>
  );
}
