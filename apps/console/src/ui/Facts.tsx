import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps {
  label: string;
  /** Label and value of each fact. */
  facts: readonly (readonly [string, ReactNode])[];
}

export const Facts = ({ label, facts }: FactsProps) => (
  <dl className={classes.facts} aria-label={label}>
    {facts.map(([name, value]) => (
      <div key={name} className={classes.pair}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
