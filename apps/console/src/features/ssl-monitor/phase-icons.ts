import {
  IconAlertCircle,
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconInfoCircle,
  IconLoader2,
  type Icon,
} from '@tabler/icons-react';
import type { SslPhase } from '@quarterdeck/projections';
import type { Tone } from '../../ui/tone';

export const phaseIcons: Record<SslPhase, Icon> = {
  idle: IconCircleDashed,
  fetching: IconLoader2,
  checking: IconLoader2,
  renewing: IconLoader2,
  complete: IconCircleCheck,
  stopped: IconBan,
  error: IconAlertCircle,
};

/** Icons by tone. */
export const toneIcons: Record<Tone, Icon> = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  info: IconInfoCircle,
  busy: IconLoader2,
  quiet: IconCircleDashed,
};
