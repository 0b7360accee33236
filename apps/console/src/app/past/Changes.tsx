/** Controls that change something. In the past they are off, and say why. */
import type { ReactNode } from 'react';
import styles from './past.module.css';
import { usePast } from './use-past';
import { NO_CHANGES } from './words';

export function Changes({ children }: { children: ReactNode }) {
  if (usePast() === undefined) return children;
  return (
    <span className={styles.off} title={NO_CHANGES}>
      <span className={styles.inert} inert>
        {children}
      </span>
      <span className={styles.hidden}>{NO_CHANGES}</span>
    </span>
  );
}
