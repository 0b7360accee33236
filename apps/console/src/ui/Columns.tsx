/** Two columns, one below the other where the page is narrow. */
import { Box, type BoxProps } from '@mantine/core';
import type { AriaAttributes, ReactNode } from 'react';
import look from './look.module.css';

interface ColumnsProps extends BoxProps, Pick<AriaAttributes, 'aria-label'> {
  component?: 'div' | 'section' | 'ul' | 'li' | 'dl';
  /** Widths of the columns, in the words of a grid. */
  widths?: string;
  gap?: number | string;
  children: ReactNode;
}

export const Columns = ({ widths, gap, ...props }: ColumnsProps) => (
  <Box component="div" className={look.columns} style={{ '--columns': widths, gap }} {...props} />
);

/** Parts below each other. Long words break rather than widen it. */
export const Stacked = ({ gap = 16, className = '', ...props }: Omit<ColumnsProps, 'widths'>) => (
  <Box component="div" className={`${look.stack} ${className}`} style={{ gap }} {...props} />
);

/** As many beside each other as there is room for, each at least `min` pixels wide. */
export const Tiles = ({ min, gap = 8, ...props }: Omit<ColumnsProps, 'widths'> & { min: number }) => (
  <Box
    component="div"
    display="grid"
    style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(${min}px, 100%), 1fr))`, gap }}
    {...props}
  />
);
