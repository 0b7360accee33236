import type { ReactNode } from 'react';
import classes from './superadmin.module.css';

interface FactCardProps {
  label: string;
  /** What it means, below the fact. */
  detail?: ReactNode;
  /** Beside others of its kind where there is little room. */
  short?: boolean;
  children: ReactNode;
}

/** One fact in a frame, in a list of the class `facts`. */
export const FactCard = ({ label, detail, short, children }: FactCardProps) => (
  <div className={short ? classes.short : undefined}>
    <dt>{label}</dt>
    <dd>
      {children}
      {detail && <span className={classes.detail}>{detail}</span>}
    </dd>
  </div>
);
