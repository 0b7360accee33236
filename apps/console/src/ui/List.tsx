/** Lists of several kinds. */
import { Box, type BoxProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import look from './look.module.css';

type ListProps = BoxProps & Omit<ComponentProps<'ol'>, keyof BoxProps> & { component?: 'ul' | 'ol' };

/** Without bullets, one thing below the other. */
export const List = ({ gap, className = '', ...props }: ListProps & { gap?: number }) => (
  <Box component="ul" className={`${look.list} ${look.stack} ${className}`} style={{ gap }} {...props} />
);

/** Rows in a frame, with a line between them. */
export const Lines = ({ className = '', ...props }: ListProps) => (
  <Box component="ul" className={`${look.list} ${look.lines} ${className}`} {...props} />
);

/** A row of `Lines`. */
export const Line = (props: BoxProps & Omit<ComponentProps<'li'>, keyof BoxProps>) => (
  <Box component="li" p="8px 12px" {...props} />
);

/** With bullets, or with numbers. */
export const Bullets = (props: ListProps) => (
  <Box component="ul" className={look.wrap} m={0} pl={20} {...props} />
);
