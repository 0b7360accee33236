import type { ReactNode } from 'react';
import classes from './superadmin.module.css';
import { Dim } from '../../ui/Note';

interface FactCardProps {
  label: string;
  /** What it means, below the fact. */
  detail?: ReactNode;
  /** Beside others of its kind where there is little room. */
  short?: boolean;
  children: ReactNode;
}

/** Facts in frames of their own. */
export const FactCards = ({ children }: { children: ReactNode }) => (
  <dl className={classes.facts}>{children}</dl>
);

export const FactCard = ({ label, detail, short, children }: FactCardProps) => (
  <div className={short ? classes.short : undefined}>
    <dt>{label}</dt>
    <dd>
      {children}
      {detail && (
        <Dim display="block" mt={2} fz={12} fw={400}>
          {detail}
        </Dim>
      )}
    </dd>
  </div>
);
