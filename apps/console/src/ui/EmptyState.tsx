import { Box, MantineThemeProvider, Stack } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './States.module.css';
import { Note } from './Note';

/** The page has its primary button in its head. The first step is offered here, too, but not as a second one. */
const softer = { components: { Button: { defaultProps: { variant: 'light' } } } };

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
  return (
    <Stack className={styles.empty} align="center" gap={4} ta="center">
      {Shape && (
        <Shape
          size={28}
          stroke={1.5}
          aria-hidden
          color="var(--mantine-color-dimmed)"
          style={{ marginBottom: 8 }}
        />
      )}
      <Box component={page ? 'h1' : 'h2'} m={0} fz={15} fw={600}>
        {title}
      </Box>
      {children && (
        <Note maw="52ch" style={{ textWrap: 'balance' }}>
          {children}
        </Note>
      )}
      {action && (
        <MantineThemeProvider theme={softer}>
          <Box mt={16}>{action}</Box>
        </MantineThemeProvider>
      )}
    </Stack>
  );
}
