/** How parts of a page behave in the past. */
import { Box, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './in-past.module.css';
import { NO_CHANGES, useAsOf } from './as-of-state';

/** Wraps controls that change something: in the past they are inert and say why. */
export function DisabledInPast({ children }: { children: ReactNode }) {
  if (useAsOf() === undefined) return children;
  return (
    <Box component="span" display="contents" title={NO_CHANGES}>
      <span className={styles.inert} inert>
        {children}
      </span>
      <VisuallyHidden component="span">{NO_CHANGES}</VisuallyHidden>
    </Box>
  );
}

interface PresentOnlyProps {
  /** Begins the sentence: "The next renewal". */
  what: string;
  children: ReactNode;
}

/** Data that has no history. In the past a sentence replaces it, and it is not requested. */
export function PresentOnly({ what, children }: PresentOnlyProps) {
  if (useAsOf() === undefined) return children;
  return (
    <Box component="p" m={0} c="dimmed">
      {what} can be seen only in the present. Go back to now.
    </Box>
  );
}
