/** A short table without search and sorting. It scrolls by itself, so the page does not get wider than the screen. */
import { Box, type BoxProps } from '@mantine/core';
import type { ReactNode } from 'react';
import look from './look.module.css';

interface PlainTableProps extends BoxProps {
  label: string;
  children: ReactNode;
}

export const PlainTable = ({ label, children, ...props }: PlainTableProps) => (
  <Box className={look.scroller} mah="60vh" role="region" aria-label={label} tabIndex={0} {...props}>
    <table className={look.table} aria-label={label}>
      {children}
    </table>
  </Box>
);
