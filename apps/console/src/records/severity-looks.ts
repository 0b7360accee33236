/** How severities look. */
import type { Severity } from '@quarterdeck/projections';
import { IconAlertTriangle, IconBell, IconCircleX, type Icon } from '@tabler/icons-react';
import type { Tone } from '../ui/tone';

export const severityLooks: Record<Severity, { tone: Tone; icon: Icon }> = {
  critical: { tone: 'bad', icon: IconCircleX },
  warning: { tone: 'warn', icon: IconAlertTriangle },
  notice: { tone: 'quiet', icon: IconBell },
};
