import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClockPause,
  IconLoader2,
  type Icon,
} from '@tabler/icons-react';
import styles from './StateBadge.module.css';
import { type Tone, toneColor } from './tone';

/** States that several pages share. For other states, pages pass tone and icon themselves. */
const states: Record<string, { tone: Tone; icon: Icon; label?: string }> = {
  requested: { tone: 'quiet', icon: IconCircleDashed },
  running: { tone: 'busy', icon: IconLoader2 },
  succeeded: { tone: 'good', icon: IconCircleCheck },
  failed: { tone: 'bad', icon: IconCircleX },
  interrupted: { tone: 'warn', icon: IconClockPause },
  cancelled: { tone: 'quiet', icon: IconBan },
  timedOut: { tone: 'bad', icon: IconClockPause, label: 'timed out' },
  lost: { tone: 'warn', icon: IconAlertTriangle, label: 'connection lost' },
};

interface StateBadgeProps {
  state: string;
  tone?: Tone;
  icon?: Icon;
  /** Replaces the state's name. */
  label?: string;
}

/** Shows a state with an icon and a word, never by colour alone. */
export function StateBadge({ state, tone, icon, label }: StateBadgeProps) {
  const known = Object.hasOwn(states, state) ? states[state] : undefined;
  const Shape = icon ?? known?.icon ?? IconCircleDashed;
  const shown = tone ?? known?.tone ?? 'quiet';
  return (
    <span className={styles.badge} data-tone={shown} style={{ color: toneColor(shown) }}>
      <Shape size={14} aria-hidden className={shown === 'busy' ? styles.turning : styles.icon} />
      <span className={styles.words}>{label ?? known?.label ?? state}</span>
    </span>
  );
}
