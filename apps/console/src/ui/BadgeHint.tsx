import type { ReactNode } from 'react';
import { Hint } from './Hint';
import styles from './StateBadge.module.css';

interface BadgeHintProps {
  /** `''` for no hint. */
  label: string;
  children: ReactNode;
}

/** A hint about a badge, shown on hover and on keyboard focus. */
export const BadgeHint = ({ label, children }: BadgeHintProps) =>
  label === '' ? (
    children
  ) : (
    <Hint label={label} openDelay={200} maw={360}>
      <span role="note" tabIndex={0} className={styles.noted}>
        {children}
      </span>
    </Hint>
  );
