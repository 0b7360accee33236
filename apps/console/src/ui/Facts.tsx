import { Box, type BoxProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps extends BoxProps {
  label?: string;
  /** Label and value of each fact. */
  facts?: readonly (readonly [string, ReactNode])[];
  /** More facts, each a `<Fact>`. */
  children?: ReactNode;
}

/** What is known of one thing: labels with their values beside them, or above where it is narrow. */
export const Facts = ({ label, facts = [], children, ...props }: FactsProps) => (
  <Box component="dl" className={classes.facts} aria-label={label} {...props}>
    {facts.map(([name, value]) => (
      <Fact key={name} label={name}>
        {value}
      </Fact>
    ))}
    {children}
  </Box>
);

export const Fact = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className={classes.pair}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
