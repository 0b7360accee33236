import { Box, type BoxProps } from '@mantine/core';
import type { ComponentProps } from 'react';

/** A paragraph that explains, in the colour of what is secondary. */
export const Note = (props: BoxProps & Omit<ComponentProps<'p'>, keyof BoxProps>) => (
  <Box component="p" m={0} c="dimmed" {...props} />
);
