/** Button in the top bar: shows "Now" or the chosen instant, and opens the timeline. */
import { instants } from '@quarterdeck/contract';
import { IconClock, IconHistory } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import styles from './as-of.module.css';
import { shortTime } from '../../ui/RelativeTime';
import { useAsOf } from '../../core/as-of/as-of-state';

interface InstantControlProps {
  open: boolean;
  onToggle: () => void;
}

export function InstantControl({ open, onToggle }: InstantControlProps) {
  const at = useAsOf();
  const { data } = useAnswer(instants.detail, { at: at ?? '' }, { skip: at === undefined });
  const words = at === undefined ? 'Now' : data ? shortTime(data.at) : 'The past';
  return (
    <button
      type="button"
      className={styles.control}
      data-past={at !== undefined || undefined}
      aria-expanded={open || at !== undefined}
      aria-label={at === undefined ? 'Instant: now' : `Instant: ${words}`}
      title={at === undefined ? 'View the past' : undefined}
      disabled={at !== undefined}
      onClick={onToggle}
    >
      {at === undefined ? <IconClock size={14} aria-hidden /> : <IconHistory size={14} aria-hidden />}
      <span>{words}</span>
    </button>
  );
}
