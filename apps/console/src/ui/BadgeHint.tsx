import type { ReactNode } from 'react';
import { Hint } from './Hint';

interface BadgeHintProps {
  /** `''`: there is nothing more to say. */
  label: string;
  children: ReactNode;
}

/** More about a badge, while somebody points at it or has come to it with the keyboard. */
export const BadgeHint = ({ label, children }: BadgeHintProps) =>
  label === '' ? (
    children
  ) : (
    <Hint label={label} openDelay={200} maw={360}>
      <span role="note" tabIndex={0}>
        {children}
      </span>
    </Hint>
  );
