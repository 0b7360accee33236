/** What nobody keeps: in the past it is not asked for, and stands there in a sentence. */
import type { ReactNode } from 'react';
import styles from './past.module.css';
import { usePast } from './use-past';

interface PresentOnlyProps {
  /** Begins the sentence: "The next renewal". */
  what: string;
  children: ReactNode;
}

export function PresentOnly({ what, children }: PresentOnlyProps) {
  if (usePast() === undefined) return children;
  return <p className={styles.presentOnly}>{what} can be seen in the present only: go back to now.</p>;
}
