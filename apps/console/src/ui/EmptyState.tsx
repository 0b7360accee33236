import { Box } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './States.module.css';

interface EmptyStateProps {
  title: string;
  /** Says what will appear here. */
  children?: ReactNode;
  icon?: Icon;
  /** A button for the first step. */
  action?: ReactNode;
  /** Set if it is the only content of the page. Its title is then the page's heading. */
  page?: boolean;
}

export function EmptyState({ title, children, icon: Shape, action, page = false }: EmptyStateProps) {
  const Heading = page ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      {Shape && <Shape size={28} stroke={1.5} aria-hidden className={styles.icon} />}
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
      {action && <Box mt={16}>{action}</Box>}
    </div>
  );
}
