import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import styles from './CopyText.module.css';

interface CopyTextProps {
  value: string;
  /** What is shown when it is not the value itself. */
  children?: ReactNode;
  mono?: boolean;
}

const COPIED_MS = 1500;

/** A value with a button to copy it, visible on hover and on focus. */
export function CopyText({ value, children, mono = true }: CopyTextProps) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyToClipboard(value))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <span className={styles.root} data-mono={mono || undefined}>
      <span className={styles.text}>{children ?? value}</span>
      <button
        type="button"
        className={styles.button}
        aria-label={`Copy ${value}`}
        title="Copy"
        onClick={() => void copy()}
      >
        {copied ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
      </button>
      <span className={styles.told} role="status">
        {copied ? 'Copied' : ''}
      </span>
    </span>
  );
}

/** Whether it worked: without https and off loopback there is no clipboard. */
export const copyToClipboard = async (value: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false;
  }
};
