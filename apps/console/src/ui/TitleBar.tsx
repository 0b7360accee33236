import { Flex } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './DetailPage.module.css';
import { Heading } from './heading';

interface TitleBarProps {
  title: string;
  /** Stands beside the title. */
  beside?: ReactNode;
  /** Without room below. */
  isTight?: boolean;
  /** Stands at the end of the line. */
  children?: ReactNode;
}

/** The first line of a page. */
export const TitleBar = ({ title, beside, isTight = false, children }: TitleBarProps) => (
  <Flex
    component="header"
    gap="8px 16px"
    align="center"
    justify="space-between"
    wrap="wrap"
    mih={34}
    mb={isTight ? 0 : 12}
  >
    <div className={styles.title}>
      <Heading>{title}</Heading>
      {beside}
    </div>
    {children}
  </Flex>
);
