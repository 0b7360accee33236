import { Flex, Loader } from '@mantine/core';
import { auth } from '@quarterdeck/contract';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { send } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { paths } from '../../core/paths';
import { sessionEnded } from '../../core/session-state';
import styles from './Pages.module.css';

/** Ends the session on the server and in the browser. In the browser it ends even if the call fails. */
export default function Logout() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  useEffect(() => {
    dispatch(send(auth.signOut))
      .unwrap()
      .catch((error: unknown) =>
        console.error('User logout: something went wrong while logging out user', error),
      )
      .finally(() => {
        dispatch(sessionEnded());
        void navigate(paths.login(), { replace: true });
      });
  }, [dispatch, navigate]);
  return (
    <main className={styles.outside}>
      <Flex component="p" role="status" gap={10} align="center">
        <Loader size="sm" /> Signing out…
      </Flex>
    </main>
  );
}
