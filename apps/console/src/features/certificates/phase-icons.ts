import {
  IconAlertCircle,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconLoader2,
  type Icon,
} from '@tabler/icons-react';
import type { SslPhase } from '@quarterdeck/projections';

export const phaseIcons: Record<SslPhase, Icon> = {
  idle: IconCircleDashed,
  fetching: IconLoader2,
  checking: IconLoader2,
  renewing: IconLoader2,
  complete: IconCircleCheck,
  stopped: IconBan,
  error: IconAlertCircle,
};
