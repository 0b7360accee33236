import { VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { NOT_COPIED, useCopy } from './copying';
import { quietPart } from './part';
import styles from './CopyText.module.css';

/** Loaded on demand, since browsers rarely refuse to copy. */
const NotCopied = quietPart(() => import('./NotCopied'));

interface CopyTextProps {
  value: string;
  /** Shown instead of the value itself. */
  children?: ReactNode;
  mono?: boolean;
}

/** A value with a button to copy it, visible on hover and on focus. */
export function CopyText({ value, children, mono = true }: CopyTextProps) {
  const { outcome, copy } = useCopy();
  return (
    <span className={styles.root} data-mono={mono || undefined}>
      <span className={styles.text}>{children ?? value}</span>
      <button
        type="button"
        className={styles.button}
        aria-label={/\n/.test(value) ? 'Copy' : `Copy ${value}`}
        title="Copy"
        onClick={() => void copy(value)}
      >
        {outcome === undefined && <IconCopy size={13} aria-hidden />}
        {outcome === 'copied' && <IconCheck size={13} aria-hidden />}
        {outcome === 'refused' && <NotCopied />}
      </button>
      <VisuallyHidden component="span" role="status">
        {outcome === 'copied' && 'Copied'}
        {outcome === 'refused' && NOT_COPIED}
      </VisuallyHidden>
    </span>
  );
}
