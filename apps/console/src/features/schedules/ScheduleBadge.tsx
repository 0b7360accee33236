import type { ScheduleState } from '@quarterdeck/contract';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconClockPause,
  IconLoader2,
  IconPlugOff,
  type Icon,
} from '@tabler/icons-react';
import { StateBadge } from '../../ui/StateBadge';
import type { Tone } from '../../ui/tone';
import { stateWords } from './schedule-words';

const looks: Readonly<Record<ScheduleState['is'], { tone: Tone; icon: Icon }>> = {
  on: { tone: 'good', icon: IconCircleCheck },
  off: { tone: 'quiet', icon: IconCircleDashed },
  running: { tone: 'busy', icon: IconLoader2 },
  waiting: { tone: 'info', icon: IconClockPause },
  failing: { tone: 'warn', icon: IconAlertTriangle },
  broken: { tone: 'bad', icon: IconPlugOff },
};

export const ScheduleBadge = ({ is }: Pick<ScheduleState, 'is'>) => (
  <StateBadge state={is} label={stateWords[is]} {...looks[is]} />
);
