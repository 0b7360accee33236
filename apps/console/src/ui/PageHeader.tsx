import { Box, Flex, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { DisabledInPast } from '../core/as-of/in-past';
import styles from './DetailPage.module.css';
import { Heading } from './heading';
import { usePageTitle } from './page-title';

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
      <Flex
        component="header"
        gap="8px 16px"
        align="center"
        justify="space-between"
        wrap="wrap"
        mih={34}
        mb={12}
      >
        <div className={styles.title}>
          <Heading>{title}</Heading>
          {count !== undefined && (
            <Box component="span" c="dimmed" fz={15}>
              {count.toLocaleString('en')}
            </Box>
          )}
        </div>
        {(reading || actions) && (
          <Group gap={8}>
            {reading}
            {actions && <DisabledInPast>{actions}</DisabledInPast>}
          </Group>
        )}
      </Flex>
      {description && (
        <Box component="p" className={styles.description} c="dimmed">
          {description}
        </Box>
      )}
    </>
  );
}
