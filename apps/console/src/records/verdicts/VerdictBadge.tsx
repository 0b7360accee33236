/** A verdict as a badge: an icon and a word, never colour alone. */
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  type Icon,
} from '@tabler/icons-react';
import type { Verdict } from '@quarterdeck/projections';
import { StateBadge } from '../../ui/StateBadge';

const icons: Record<Verdict['tone'], Icon> = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  quiet: IconCircleDashed,
};

interface VerdictBadgeProps {
  verdict: Verdict;
  /** Replaces the icon of the tone. */
  icon?: Icon;
}

export const VerdictBadge = ({ verdict: { label, tone }, icon = icons[tone] }: VerdictBadgeProps) => (
  <StateBadge state={label} label={label} tone={tone} icon={icon} />
);
