import { Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { DisabledInPast } from '../core/as-of/in-past';
import styles from './DetailPage.module.css';
import { usePageTitle } from './page-title';
import { TitleBar } from './TitleBar';

interface PageHeaderProps {
  title: string;
  count?: number | undefined;
  description?: ReactNode;
  /** Actions that change something; the primary one comes last. */
  actions?: ReactNode;
  /** Controls that change nothing, so they also work in the past. */
  reading?: ReactNode;
}

export function PageHeader({ title, count, description, actions, reading }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <>
      <TitleBar
        title={title}
        beside={
          count !== undefined && (
            <Box component="span" className={styles.count} c="dimmed" fz={15}>
              {count.toLocaleString('en')}
            </Box>
          )
        }
      >
        {(reading || actions) && (
          <Group gap={8}>
            {reading}
            {actions && <DisabledInPast>{actions}</DisabledInPast>}
          </Group>
        )}
      </TitleBar>
      {description && (
        <Box component="p" className={styles.description} c="dimmed">
          {description}
        </Box>
      )}
    </>
  );
}
