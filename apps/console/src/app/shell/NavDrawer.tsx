import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import styles from './Shell.module.css';

interface NavDrawerProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/** Contains the tabs on a narrow screen. */
export default function NavDrawer({ opened, onClose, title, children }: NavDrawerProps) {
  return (
    <Drawer opened={useOpenedOnceThere(opened)} onClose={onClose} title={title} size={260} zIndex={300}>
      <nav aria-label="Main, in the drawer" className={styles.drawerTabs}>
        {children}
      </nav>
    </Drawer>
  );
}
