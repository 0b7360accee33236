import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps {
  label: string;
  /** What each is called, and what it is. */
  facts: readonly (readonly [string, ReactNode])[];
}

/** Pairs of a label and its value. */
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
