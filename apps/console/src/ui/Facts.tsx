import { Box, type BoxProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps extends BoxProps {
  label?: string;
  /** Label and value of each fact; `false` and the like leave one out. */
  facts: readonly (readonly [string, ReactNode] | false | '' | null | undefined)[];
}

/** What is known of one thing: labels with their values beside them, or above where it is narrow. */
export const Facts = ({ label, facts, ...props }: FactsProps) => (
  <Box component="dl" className={classes.facts} aria-label={label} {...props}>
    {facts.map(
      (fact) =>
        fact && (
          <div key={fact[0]} className={classes.pair}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
    )}
  </Box>
);
