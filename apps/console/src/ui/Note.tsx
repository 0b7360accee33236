/** Words of several kinds, inside a sentence or as a paragraph of their own. */
import { Box, type BoxProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import look from './look.module.css';

type Props<T extends 'p' | 'span' | 'pre' | 'button'> = BoxProps &
  Omit<ComponentProps<T>, keyof BoxProps> & { component?: T | 'figcaption' };

/** A paragraph that explains, in the colour of what is secondary. */
export const Note = ({
  below = false,
  ...props
}: Props<'p'> & { /** Has room above it, as soon as it says something. */ below?: boolean }) => (
  <Box component="p" {...(below ? { className: look.below } : { m: 0 })} c="dimmed" {...props} />
);

/** What is secondary in a sentence. */
export const Dim = (props: Props<'span'>) => <Box component="span" c="dimmed" {...props} />;

/** A name, an address or a hash as machines write it. */
export const Mono = (props: Props<'span'>) => <Box component="span" className={look.mono} {...props} />;

/** Text as a program wrote it, in a frame that scrolls. */
export const TextBlock = (props: Props<'pre'>) => (
  <Box
    component="pre"
    tabIndex={0}
    className={`${look.scroller} ${look.raised} ${look.mono}`}
    m={0}
    p="10px 12px"
    {...props}
  />
);
